import { newApiKey } from '../../../../src/access/api-key.ts'
import { type Attack, type AttackContext, inParallel } from '../attack.ts'

/** Requests that use connections outside an organization's share of them. */
export const poolAttacks: readonly Attack[] = [
  {
    name: 'keys that do not exist',
    async run(scene) {
      const statuses = await flood(scene, { total: 3_000, atOnce: 200 }, () => ({
        path: '/org/features',
        headers: { 'x-api-key': newApiKey().key },
      }))
      expectOnly(scene, statuses, [401, 503])
    },
  },
  {
    name: 'evals with keys that do not exist',
    async run(scene) {
      const statuses = await flood(scene, { total: 3_000, atOnce: 200 }, () => ({
        path: '/org/subscribers/neighbour/entitlements/check',
        headers: { 'x-api-key': newApiKey().key },
        body: { feature: 'seats' },
      }))
      expectOnly(scene, statuses, [401, 503])
    },
  },
  {
    name: 'public reads, from one address',
    async run(scene) {
      const statuses = await flood(scene, { total: 5_000, atOnce: 200 }, (index) => ({
        path: index % 2 === 0 ? '/service' : '/.well-known/jwks.json',
      }))
      expectOnly(scene, statuses, [200, 429])
      const answered = statuses.get(200) ?? 0
      if (scene.scale === 1 && answered > 240)
        scene.fault(`${answered} reads were answered, but only 60 a minute of each are allowed`)
    },
  },
  {
    name: 'sign-ins beyond the limit of an address',
    async run(scene) {
      const statuses = await flood(scene, { total: 3_000, atOnce: 200 }, (index) => ({
        path: '/user/sign-in',
        body: { email: `c${index}@example.org`, password: 'correct horse' },
      }))
      expectOnly(scene, statuses, [401, 429, 503])
    },
  },
  {
    name: "writes that the caller's role does not allow",
    async run(scene) {
      const statuses = await flood(scene, { total: 2_000, atOnce: 200 }, (index) => ({
        path: '/org/features',
        headers: { 'x-api-key': scene.attacker.keys.evaluator as string },
        body: { key: `f${index}`, name: 'x', kind: 'flag' },
      }))
      expectOnly(scene, statuses, [403, 429, 503])
    },
  },
  {
    name: 'organizations of one person',
    variant: 'production',
    async run(scene) {
      const person = await signUp(scene)
      const made = await flood(scene, { total: 60, atOnce: 20, isScaled: false }, (index) => ({
        path: '/user/organizations',
        headers: person,
        body: { name: `Organization ${index}` },
      }))
      if (made.get(201) !== 10 || made.get(409) !== 50)
        scene.fault(`60 organizations of one person were answered ${JSON.stringify([...made])}`)
    },
  },
  {
    name: 'lists in ten organizations of one person',
    async run(scene) {
      const { tenants } = scene
      const theirs = await Promise.all(Array.from({ length: 10 }, () => tenants.create({ creatorId: 'person' })))
      for (const { headers } of theirs) await addSubscribers(scene, headers, 100)
      const statuses = await flood(scene, { total: 1_000, atOnce: 200 }, (index) => ({
        path: '/org/subscribers?limit=100&without_plan=true',
        headers: theirs[index % theirs.length]?.headers ?? {},
      }))
      expectOnly(scene, statuses, [200, 503])
    },
  },
  {
    name: 'searches among names that all have the same three-letter parts',
    patience: 3,
    async run(scene) {
      const { attacker, client, scale } = scene
      await addSubscribers(scene, attacker.headers, scale === 1 ? 10_000 : 60_000)
      const fields = Array.from({ length: 20 }, (_, n) => {
        const part = 'abc'.repeat(3 + n)
        return n % 2 === 0
          ? `a${n}: subscribers(filter: { search: "${part}" }) { nodes { name } }`
          : `a${n}: search(text: "${part}") { hits { id } }`
      })
      const begun = performance.now()
      let found = 0
      await inParallel(scene, { total: 40, atOnce: 40 }, async () => {
        const answer = await client.graphql(`{ ${fields.join(' ')} }`, undefined, attacker.headers)
        const data = JSON.parse(answer?.body ?? '{}').data ?? {}
        found += Object.values(data).filter((list) => list !== null).length
      })
      const seconds = Math.ceil((performance.now() - begun) / 1000) + 1
      scene.note(`${found} of 800 searches answered in ${seconds} s`)
      if (found > seconds * 20)
        scene.fault(`${found} searches were answered in ${seconds} s, but only 20 a second are allowed`)
    },
  },
]

type Flood = { total: number; atOnce: number; isScaled?: boolean }

/** Sends the requests, and counts the answers by status. */
async function flood(
  scene: AttackContext,
  { total, atOnce, isScaled = true }: Flood,
  toRequest: (index: number) => Parameters<AttackContext['client']['send']>[0],
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  await inParallel(scene, { total: isScaled ? total * scene.scale : total, atOnce }, async (index) => {
    const answer = await scene.client.send(toRequest(index))
    if (answer) statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
  })
  return statuses
}

function expectOnly({ fault }: AttackContext, statuses: Map<number, number>, allowed: readonly number[]): void {
  for (const status of statuses.keys()) if (!allowed.includes(status)) fault(`an answer was ${status}`)
}

/** A new person's headers. Signs up from a new address, since other attacks use up this machine's attempts. */
async function signUp({ client }: AttackContext): Promise<Record<string, string>> {
  const answer = await client.send({
    path: '/user/sign-up',
    headers: { 'x-forwarded-for': `2001:db8::${crypto.randomUUID().slice(0, 4)}:0:0:0:1` },
    body: { email: `pool-${crypto.randomUUID()}@example.org`, password: 'correct horse', display_name: 'Ada' },
  })
  if (answer?.status !== 201) throw new Error(`signing up answered ${answer?.status} ${answer?.body}`)
  return { authorization: `Bearer ${JSON.parse(answer.body).token}` }
}

/** Each name has every three-character part that a search for `abcabc…` needs, but not the whole text. */
async function addSubscribers(
  { client }: AttackContext,
  headers: Record<string, string>,
  count: number,
): Promise<void> {
  const lines = Array.from({ length: count }, (_, n) =>
    JSON.stringify({ subscriber_id: `s${n}`, name: `${'abcab '.repeat(40)}${n}` }),
  )
  const answer = await client.send({
    path: '/org/subscribers/import',
    headers: { ...headers, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  })
  if (answer?.status !== 200) throw new Error(`the import answered ${answer?.status} ${answer?.body}`)
}
