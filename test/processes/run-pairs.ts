import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ulid } from 'ulidx'
import { builtScript } from '../support/built-service.ts'
import { defaultSeed, seededRandom } from '../support/seeded-random.ts'
import { Tenants } from '../support/tenants.ts'
import { Client } from './ask.ts'
import { createSequenceObjects, kinds, type PairContext } from './kinds.ts'
import { PairSequence, type Tally } from './pair-sequence.ts'

type PairsOptions = {
  /** The addresses of the API processes. */
  urls: readonly string[]
  /** The environment of every process: DATABASE_URL and MASTER_KEY. */
  env: Record<string, string>
  /** The minimum number of pairs. */
  pairs: number
}

const sequenceCount = 6
/** `limits` runs rarely, because it starts a process each time. */
const limitsEvery = 12

/** Runs pairs of a write and an eval, in several organizations at once, with every kind of write. */
export async function runPairs({ urls, env, pairs }: PairsOptions): Promise<Tally> {
  const tally: Tally = { pairs: new Map(), stale: [] }
  const client = new Client()
  const tenants = new Tenants(env.DATABASE_URL as string)
  const count = () => [...tally.pairs.values()].reduce((sum, each) => sum + each, 0)
  try {
    const sequences = Array.from({ length: sequenceCount }, async (_, index) => {
      const random = seededRandom(defaultSeed + index)
      const sequence = new PairSequence(await tenants.create(), { client, urls, random, tally })
      const outside = await prepare(sequence, urls[0] as string, env)
      for (let round = 0; count() < pairs; round++) {
        for (const [name, run] of Object.entries(kinds)) {
          if (name === 'limits' && (round + index) % limitsEvery !== 0) continue
          await run(sequence, outside)
        }
      }
    })
    await Promise.all(sequences)
    return tally
  } finally {
    await client.close()
    await tenants.close()
  }
}

async function prepare(sequence: PairSequence, url: string, env: Record<string, string>): Promise<PairContext> {
  await createSequenceObjects(sequence)
  const account = { email: `${ulid()}@example.org`, password: 'correct horse', display_name: 'Ada' }
  const { body } = await sequence.client.askSuccessfully(url, {
    method: 'POST',
    path: '/user/sign-up',
    body: account,
    headers: {},
  })
  await sequence.sendUnchecked('POST', '/org/members', { user_id: body.user_id, role: 'viewer' })
  return {
    token: body.token,
    async setAllotment(organizationId, allotment) {
      const script = builtScript('src/cli/org-limits.ts')
      const options = ['--organization', organizationId, '--allotment', allotment]
      await promisify(execFile)(process.execPath, [script, ...options], { env: { ...process.env, ...env } })
    },
  }
}
