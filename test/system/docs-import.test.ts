import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { runWithVariables } from '../support/pack.ts'
import { startService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

/* Runs the commands of the guide *Import* that convert another system's data, if jq and psql are installed. */

const service = await startService()
const guide = readFileSync('docs/guides/import.md', 'utf8')

function commandOf(name: string): string {
  const [, command] = new RegExp(`<!-- runs: ${name} -->\n\`\`\`sh\n([\\s\\S]*?)\`\`\``).exec(guide) ?? []
  if (command === undefined) throw new Error(`The guide has no command for ${name}.`)
  return command
}

const has = (program: string) => spawnSync(program, ['--version']).status === 0

/** Runs the command in the folder of the files, imports its output, and returns each customer's name and plan. */
async function importWith(name: string, { files = {}, env = {} }: { files?: Record<string, string>; env?: object }) {
  const caller = await service.organization()
  const { plan, subscriber, subscribe } = vendor(caller)
  await plan('pro')
  await subscriber('4712', { name: 'Hooli' })
  await subscribe('4712', 'pro')
  const folder = await mkdtemp(join(tmpdir(), 'guide-import-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text)
  await runWithVariables(env as Record<string, string>, folder, 'sh', '-euc', commandOf(name))
  const body = await readFile(join(folder, 'customers.ndjson'))

  const headers = { 'content-type': 'application/x-ndjson', 'x-api-key': caller.key }
  const answer = await fetch(`${service.url}/org/subscribers/import`, { method: 'POST', headers, body })
  expect(await answer.json()).toMatchObject({ created: 1, failed: 0, errors: [] })
  const read = async (id: string) => {
    const { name } = (await caller.rest('GET', `/org/subscribers/${id}`)).body as { name: string | null }
    const { plan } = (await caller.rest('GET', `/org/subscribers/${id}/entitlements`)).body as { plan: string | null }
    return [name, plan]
  }
  expect(await read('4711')).toEqual(['Initech', 'pro'])
  // The line of customer 4712 has empty cells, which change nothing.
  expect(await read('4712')).toEqual(['Hooli', 'pro'])
}

it.skipIf(!has('jq'))('the command for a CSV file leaves out empty cells (where jq is installed)', () =>
  importWith('jq', { files: { 'customers.csv': 'id,name,plan\r\n4711,Initech,pro\r\n4712,,\r\n\r\n' } }),
)

it.skipIf(!has('jq'))('the command for a JSON array turns numbers into strings (where jq is installed)', () => {
  const customers = [
    { id: 4711, name: 'Initech', plan: 'pro', more: true },
    { id: 4712, name: null, plan: '' },
  ]
  return importWith('jq-array', { files: { 'customers.json': JSON.stringify(customers) } })
})

it.skipIf(!has('psql'))(
  'the command for PostgreSQL leaves out empty cells, and turns numbers into strings (where psql is installed)',
  async () => {
    const schema = `guide_${newId().toLowerCase()}`
    const database = new Client(inject('databaseUrl'))
    await database.connect()
    onTestFinished(async () => {
      await database.query(`drop schema ${schema} cascade`)
      await database.end()
    })
    await database.query(`create schema ${schema}; create table ${schema}.customer (id int, name text, plan text)`)
    await database.query(`insert into ${schema}.customer values (4711, 'Initech', 'pro'), (4712, null, '')`)

    await importWith('psql', { env: { DATABASE_URL: inject('databaseUrl'), PGOPTIONS: `-csearch_path=${schema}` } })
  },
)

it('the import refuses an id that is a number, and says that ids must be strings', async () => {
  const caller = await service.organization()
  const headers = { 'content-type': 'application/x-ndjson', 'x-api-key': caller.key }
  const body = '{"subscriber_id":4711,"name":1}'
  const answer = await fetch(`${service.url}/org/subscribers/import`, { method: 'POST', headers, body })

  const { errors } = (await answer.json()) as { errors: { details: { fields: object[] } }[] }
  expect(errors[0]?.details.fields).toEqual([
    {
      path: 'subscriber_id',
      message: expect.stringMatching(/^subscriber_id must be text \("4711"\): a subscriber id: /),
    },
    { path: 'name', message: 'name must be text ("1"): a string of 1 to 255 characters, or null.' },
  ])
})
