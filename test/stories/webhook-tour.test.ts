import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { run, runCommand, startServer, temporaryFolder } from '../start/server-process.ts'
import { findFreePort } from '../support/free-port.ts'
import { callerOf } from '../support/service.ts'
import { runStep, withoutIds } from '../support/tour.ts'
import { vendor } from '../support/vendor.ts'

const tour = readFileSync('README.md', 'utf8').split('<!-- webhook tour -->')[1]?.split('<!-- /webhook tour -->')[0]
const [put, listen, change, arrival] = Array.from(
  tour?.matchAll(/```console\n([\s\S]*?)```/g) ?? [],
  ([, block = '']) => {
    const [first = '', ...output] = block.split('\n')
    return first.startsWith('$ ')
      ? { command: first.slice(2), output: output.join('\n') }
      : { command: '', output: block }
  },
) as [Step, Step, Step, Step]

type Step = { command: string; output: string }

const withoutSecrets = (text: string) => withoutIds(text).replaceAll(/whsec_\w+/g, '‹secret›')

it("the README's tour ends with an event at the listener", async () => {
  const env = { DATA_DIR: temporaryFolder() }
  const { url } = await startServer({ env })
  const { api_key: KEY } = JSON.parse((await runCommand('org-create', ['--name', 'Acme', '--json'], env)).stdout)
  const setup = vendor(callerOf(url, { organizationId: '', memberId: '', key: KEY }))
  await setup.feature('export')
  await setup.subscriber('cust_4711')
  await setup.override('cust_4711', 'export', { kind: 'flag', allowed: true })
  const port = String(await findFreePort())
  const withOwnPort = (text: string) => text.replaceAll('127.0.0.1:4100', `127.0.0.1:${port}`)

  const putStep = await runStep(withOwnPort(put.command), { KEY, API: url })
  const secret = /"secret":"(\w+)"/.exec(putStep)?.[1] as string
  const listener = run({ script: 'src/cli/webhook-listen.ts', args: ['--port', port], env: { WEBHOOK_SECRET: secret } })
  await expect.poll(listener.stdout).toContain('\n')
  const changed = await runStep(change.command, { KEY, API: url })
  await expect.poll(() => listener.stdout()).toContain('✓')

  expect(withoutSecrets(putStep)).toBe(withoutSecrets(withOwnPort(put.output)))
  expect(listen.command).toMatch(/^WEBHOOK_SECRET=whsec_[0-9A-Za-z]{43} npm run -s webhook:listen$/)
  expect(changed).toBe(change.output)
  expect(withoutSecrets(listener.stdout())).toBe(withoutSecrets(withOwnPort(listen.output) + arrival.output))
})
