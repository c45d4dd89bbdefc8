import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runWithVariables } from '../support/pack.ts'
import { relayToken, startRelay } from '../support/relay.ts'
import { startService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

/* The code of docs/guides/relay.md, in each language that is installed. */

const service = await startService()
const guide = readFileSync('docs/guides/relay.md', 'utf8')

const languages = [
  { name: 'python', file: 'check.py', command: ['python3', 'check.py'], version: '--version', printed: 'True 5\n' },
  { name: 'go', file: 'check.go', command: ['go', 'run', 'check.go'], version: 'version', printed: 'true 5\n' },
  { name: 'java', file: 'Check.java', command: ['java', 'Check.java'], version: '--version', printed: 'true\n' },
]

describe.each(languages)(
  'the check in $name',
  ({ name, file, command: [program = '', ...parameters], version, printed }) => {
    it.skipIf(spawnSync(program, [version]).status !== 0)('asks the relay', async () => {
      const caller = await service.organization()
      const setup = vendor(caller)
      await setup.feature('export')
      await setup.feature('seats', { kind: 'limit' })
      await setup.plan('pro', { export: { kind: 'flag' }, seats: { kind: 'limit', limit: 5 } })
      await setup.subscriber('cust_4711')
      await setup.subscribe('cust_4711', 'pro')
      const { key: apiKey } = await service.member(caller.organizationId, 'evaluator')
      const relay = await startRelay({ baseUrl: service.url, apiKey })
      const folder = await mkdtemp(join(tmpdir(), 'docs-relay-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      const [, code = ''] = new RegExp(`^\`\`\`${name}\n([\\s\\S]*?)^\`\`\``, 'm').exec(guide) ?? []
      await writeFile(join(folder, file), code)

      const env = { RELAY_URL: relay.url, RELAY_TOKEN: relayToken }
      // The guide's code gives up after three seconds, which a cold program on a busy machine may need.
      const run = () => runWithVariables(env, folder, program, ...parameters).catch(({ message }: Error) => message)
      await expect.poll(run).toBe(printed)
    })
  },
)
