import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { findConfiguredDatabase } from '../../src/database/locate-database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { setUpQueues } from '../../src/events/queues.ts'
import { administer } from '../support/administer.ts'
import { testMasterKey } from '../support/master-key.ts'
import { callerOf } from '../support/service.ts'
import { migratedFolder, onlyLine, run, runCommand, startDatabase, startServer } from './server-process.ts'

const postgres = await startDatabase(migratedFolder())
let count = 0

type OwnDatabase = { role: string; database: string; url: string; run(statements: string): Promise<void> }

/** A database, and a role without any rights in it. */
async function createDatabase(): Promise<OwnDatabase> {
  const name = `tenant_${count++}`
  const [role, database] = [name, `${name}_db`]
  await administer(postgres.superuserUrl, `create role ${role} login password 'secret'`)
  await administer(postgres.superuserUrl, `create database ${database}`)
  const url = Object.assign(new URL(postgres.superuserUrl), { pathname: `/${database}` })
  const runHere = (statements: string) => administer(url.href, statements)
  await runHere(`revoke all on database ${database} from public; revoke all on schema public from public`)
  return { role, database, url: Object.assign(new URL(url), { username: role, password: 'secret' }).href, run: runHere }
}

/** The message of the error with which a start fails on this database, and which the process prints in one line. */
async function startErrorMessage({ url }: OwnDatabase): Promise<string> {
  const starting = async () => {
    await findConfiguredDatabase(loadConfig({ DATABASE_URL: url, MASTER_KEY: testMasterKey }))
    await migrate({ url })
    return 'it starts'
  }
  return starting().catch((error) => error.message)
}

describe('a role that lacks a right', () => {
  it('makes each failed start name the next missing GRANT, until it has all rights', async () => {
    const own = await createDatabase()
    const { role, database } = own
    const address = new URL(own.url).searchParams.get('host')

    expect(onlyLine(await run({ env: { DATABASE_URL: own.url } }).ended)).toBe(
      `Cannot use the database of DATABASE_URL (${database} in ${address}): FATAL: permission denied for database "${database}". Detail: User does not have CONNECT privilege. As its owner, run: GRANT CONNECT ON DATABASE "${database}" TO "${role}";`,
    )
    await own.run(`grant connect on database ${database} to ${role}`)

    const line = await startErrorMessage(own)
    expect(line).toBe(
      `The database cannot be brought up to date: ERROR: no schema has been selected to create in. As the owner of the database, run: GRANT USAGE, CREATE ON SCHEMA public TO ${role}; GRANT CREATE ON DATABASE ${database} TO ${role};`,
    )
    await own.run(`grant usage, create on schema public to ${role}`)

    expect(await startErrorMessage(own)).toBe(
      `The database cannot be brought up to date: migration 20261122010000_people failed and was undone: ERROR: permission denied to create extension "pg_trgm". Hint: Must have CREATE privilege on current database to create this extension. As the owner of the database, run: GRANT CREATE ON DATABASE ${database} TO ${role};`,
    )
    await own.run(`grant create on database ${database} to ${role}`)

    const { child, ended } = await startServer({ env: { DATABASE_URL: own.url } })
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, stderr: '' })
  })

  it('makes a failed start name the commands for extensions that only an administrator may create', async () => {
    const own = await createDatabase()
    const { role, database } = own
    await own.run(`grant connect, create on database ${database} to ${role}`)
    await own.run(`grant usage, create on schema public to ${role}`)
    await own.run(`set role ${role}; create schema pgboss; reset role`)
    await own.run(`revoke create on database ${database} from ${role}`)

    expect(await startErrorMessage(own)).toMatch(
      /run: CREATE EXTENSION pg_trgm SCHEMA public; CREATE EXTENSION btree_gin SCHEMA public;$/,
    )
  })

  it('makes a failed start name the GRANT for the tables if another role created them', async () => {
    const first = await createDatabase()
    await first.run(
      `grant all on database ${first.database} to ${first.role}; grant all on schema public to ${first.role}`,
    )
    await migrate({ url: first.url })
    await setUpQueues(first.url)
    const second = await createDatabase()
    await first.run(
      `grant all on database ${first.database} to ${second.role}; grant all on schema public to ${second.role}`,
    )
    const url = Object.assign(new URL(first.url), { username: second.role }).href

    expect(await startErrorMessage({ ...second, url })).toBe(
      `The database cannot be brought up to date: ERROR: permission denied for table _prisma_migrations. As the owner of the database, run: GRANT ${first.role} TO ${second.role};`,
    )
    await first.run(`grant ${first.role} to ${second.role}`)
    await startServer({ env: { DATABASE_URL: url } })
  })
})

/** The statements of a block in docs/configuration.md, for this role and database. */
function documentedStatements(title: string, { database, role }: OwnDatabase): string {
  const text = readFileSync('docs/configuration.md', 'utf8')
  const [, block = ''] = new RegExp(`\`\`\`sql ${title}\\n([\\s\\S]*?)\`\`\``).exec(text) ?? []
  expect(block).toContain('GRANT')
  return block.replaceAll('entitlements_db', database).replaceAll('entitlements_role', role)
}

it('the service needs only the rights in docs/configuration.md', async () => {
  const own = await createDatabase()

  await own.run(documentedStatements('rights', own))

  await startServer({ env: { DATABASE_URL: own.url } })
})

describe('a role that only reads and writes rows', () => {
  it('is enough for a service with MIGRATE=false, if another role has migrated the tables', async () => {
    const own = await createDatabase()
    const owner = Object.assign(new URL(postgres.superuserUrl), { pathname: `/${own.database}` }).href
    await migrate({ url: owner })
    await setUpQueues(owner)
    await own.run(documentedStatements('rights to serve', own))
    const env = { DATABASE_URL: own.url, MIGRATE: 'false' }
    const created = await runCommand('org-create', ['--name', 'Acme', '--json'], env)
    expect(created.stderr).toBe('')
    const { organization_id: organizationId, member_id: memberId, api_key: key } = JSON.parse(created.stdout)

    const server = await startServer({ env })
    const { rest } = callerOf(server.url, { organizationId, memberId, key })

    expect((await rest('POST', '/org/features', { key: 'f', name: 'F', kind: 'flag' })).status).toBe(201)
    expect((await rest('POST', '/org/subscribers', { subscriber_id: 'ann' })).status).toBe(201)
    const override = { kind: 'flag', allowed: true, expires_at: '2099-01-01T00:00:00Z' }
    expect((await rest('PUT', '/org/subscribers/ann/overrides/f', override)).status).toBe(200)
    expect((await rest('POST', '/org/subscribers/ann/entitlements/check', { feature: 'f' })).body.allowed).toBe(true)
    server.child.kill('SIGTERM')
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
    // A slow machine may log that it waited for a connection.
    expect(server.stdout()).not.toContain('permission denied')
  })
})
