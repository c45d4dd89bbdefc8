import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run, runCommand, temporaryFolder } from '../start/server-process.ts'
import { startService } from '../support/service.ts'

const service = await startService()

/** `npm run import` on a file with this content. */
async function importFile(content: string, env: Record<string, string>) {
  const file = join(temporaryFolder(), 'customers')
  writeFileSync(file, content)
  return runCommand('import', ['--file', file, '--url', service.url], env)
}

it.each([
  ['ENTITLEMENTS_API_KEY', ''],
  ['ENT_API_KEY', 'ENT_API_KEY is called ENTITLEMENTS_API_KEY now. The earlier name is read until version 0.3.\n'],
  [
    'ENTITLEMENTS_KEY',
    'ENTITLEMENTS_KEY is called ENTITLEMENTS_API_KEY now. The earlier name is read until version 0.3.\n',
  ],
])('npm run import takes the key from %s', async (name, warning) => {
  const { key } = await service.organization()

  const { code, stderr } = await importFile('{"subscriber_id":"a"}\n{"subscriber_id":"b"}\n', { [name]: key })

  expect(stderr).toMatch(new RegExp(`^${warning}(.*\n)*2 lines: 2 created, 0 updated, 0 unchanged, 0 failed\n$`))
  expect(code).toBe(0)
})

it.each([
  [
    'subscriber_id,plan_id\na,pro\n',
    'This is a CSV file. The command line imports it: npx @entitlements-service/cli import FILE. --file takes NDJSON: a JSON object on each line.\n',
  ],
  ['[{"subscriber_id":"a"}]\n', /^This is a JSON array\. Write each of its objects on a line of its own: /],
  ['PK\u0003\u0004', /^This is a spreadsheet workbook\. /],
])('npm run import recognizes a file that is not NDJSON: %j', async (content, message) => {
  const { code, stderr } = await importFile(content, { ENTITLEMENTS_API_KEY: 'ent_none' })

  expect(stderr).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
  expect(code).toBe(1)
})

it('npm run import shows the error of a line whose text contains a line separator of Unicode', async () => {
  const { key } = await service.organization()

  const { code, stdout } = await importFile('{"subscriber_id":"a\u2028b"}\n{"subscriber_id":"c"}\n', {
    ENTITLEMENTS_API_KEY: key,
  })

  expect(stdout).toMatch(/^line 1 .*subscriber_id/)
  expect(code).toBe(1)
})

it('npm run import imports everything even if nobody reads its progress', async () => {
  const { key, rest } = await service.organization()
  const file = join(temporaryFolder(), 'customers')
  writeFileSync(file, '{"subscriber_id":"a"}\n')
  const args = ['--file', file, '--url', service.url]
  // The earlier name of the variable: a warning precedes the import.
  const { child, ended } = run({ script: 'src/cli/import.ts', args, env: { ENT_API_KEY: key } })
  child.stderr?.destroy()

  expect(await ended).toMatchObject({ code: 0 })
  expect((await rest('GET', '/org/subscribers/a')).status).toBe(200)
})
