import { describe, expect, it } from 'vitest'
import { migrate } from '../../src/database/migrate.ts'
import { administer } from '../support/administer.ts'
import { atEnd } from '../support/at-end.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { hasDebianPostgres, ReplicatedCluster } from '../tools/faults/replicated-cluster.ts'
import { commands, MASTER_KEY, runOn } from './database-commands.ts'
import { onlyLine, run, runCommand } from './server-process.ts'

const needed = 'there is no PostgreSQL with pg_basebackup'

/** The address of a standby whose primary was migrated; one for all tests. */
const standby = hasDebianPostgres ? await startStandby() : ''

async function startStandby(): Promise<string> {
  const cluster = await ReplicatedCluster.start()
  atEnd(() => cluster.remove())
  await migrate({ url: cluster.url })
  await cluster.catchUp()
  return cluster.standbyUrl
}

describe('a standby', () => {
  it('is reported in one line by a start and by each command that writes', async ({ skip }) => {
    if (!hasDebianPostgres) return skip(needed)
    const line =
      /^The database of DATABASE_URL \(127\.0\.0\.1:\d+\/entitlements\) is a standby, which takes no writes: set DATABASE_URL to/
    const env = { DATABASE_URL: standby, MASTER_KEY }

    const starts = [{ args: ['api'], env }, { args: ['worker'], env }, { env: { ...env, MIGRATE: 'false' } }]
    const writing = ['migrate', ...Object.keys(commands).filter((each) => each !== 'audit-verify')]
    const lines: string[] = []
    // Runs one after the other: if all start at once on a slow machine, some do not get the database's answer in time.
    for (const options of starts) lines.push(onlyLine(await run(options).ended))
    for (const command of writing) lines.push(await runOn(standby, command))
    for (const each of lines) expect(each).toMatch(line)
    expect(onlyLine(await runCommand('data-copy', ['--to', standby], { DATA_DIR: '/nonexistent' }))).toMatch(
      /^The database of --to .* is a standby/,
    )
  })

  it('is verified by audit:verify, which reports that the database is a standby', async ({ skip }) => {
    if (!hasDebianPostgres) return skip(needed)
    const env = { DATABASE_URL: standby, MASTER_KEY }

    expect(await runCommand('audit-verify', ['--database'], env)).toMatchObject({
      code: 0,
      stdout: '0 records are as they were signed.\n',
      stderr: 'This is a standby: it may lack the newest records of its primary.\n',
    })
  })
})

describe('org:export', () => {
  it('prints nothing if it cannot read one of the tables', async () => {
    const url = await createOwnDatabase()
    const organization = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
    await administer(
      url,
      `insert into organization (organization_id, name, created_at, updated_at) values ('${organization}', 'A', now(), now())`,
    )
    const exporting = () => runCommand('org-export', ['--organization', organization], { DATABASE_URL: url })
    expect(await exporting()).toMatchObject({ code: 0, stderr: '' })
    await administer(url, 'revoke select on webhook_event from current_user')

    expect(onlyLine(await exporting())).toBe(
      'The table webhook_event cannot be read: ERROR: permission denied for table webhook_event. Nothing was printed.',
    )
  })
})
