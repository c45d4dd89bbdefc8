import { createHmac } from 'node:crypto'
import pg from 'pg'
import { reasonOf, StartupError } from '../../core/startup-error.ts'

/** The name of the service's role and of its database. */
const serviceName = 'entitlements'

/** Longer than any statement of this file takes on a slow disk. */
const statementTimeoutMs = 30_000

export type Addresses = {
  /** The address for the service. */
  url: string
  /** The address of the same database for statements that only a superuser may run. */
  superuserUrl: string
}

/**
 * Creates the service's database and a role that owns it, and gives the role the objects that an earlier version created as
 * superuser. The service must not be a superuser, who can read and write files and run programs: a mistake in one of its
 * statements must only affect the database.
 */
export async function ensureServiceDatabase(addressOf: (user: string, database: string) => URL): Promise<Addresses> {
  const superuserUrl = addressOf('postgres', serviceName)
  // The password is derived, so that it is the same at each start without a file. It does not reveal the superuser's password.
  const password = createHmac('sha256', superuserUrl.password).update(serviceName).digest('base64url')
  try {
    await inSession(addressOf('postgres', 'postgres'), async (client) => {
      await ensureRole(client, password)
      await ensureDatabase(client)
    })
    await inSession(superuserUrl, async (client) => void (await client.query(transferOwnershipText)))
  } catch (error) {
    throw new StartupError(`The embedded PostgreSQL runs but cannot be used: ${reasonOf(error)}`)
  }
  const url = Object.assign(addressOf(serviceName, serviceName), { password })
  return { url: url.href, superuserUrl: superuserUrl.href }
}

async function ensureRole(client: pg.Client, password: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [serviceName])
  if (rowCount === 0) await client.query(`create role ${serviceName}`)
  await client.query(
    `alter role ${serviceName} login nosuperuser nocreaterole noreplication nobypassrls password '${password}'`,
  )
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [serviceName])
  if (rowCount === 0) await client.query(`create database ${serviceName} owner ${serviceName}`)
  else await client.query(`alter database ${serviceName} owner to ${serviceName}`)
}

/**
 * Makes the service's role the owner of all its objects; PostgreSQL refuses REASSIGN OWNED for the role that created the
 * cluster. Sequences of columns, row types and array types follow their table; objects of an extension stay with the extension.
 */
const transferOwnershipText = `do $$
declare
  object text;
begin
  for object in
    with space as (
      select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
    ), made (catalog, id, space, owner, phrase) as (
      select 'pg_namespace'::regclass, oid, oid, nspowner, format('schema %I', nspname) from pg_namespace
      union all
      select 'pg_class'::regclass, oid, relnamespace, relowner,
             format('%s %s', case relkind when 'c' then 'type' else 'table' end, oid::regclass)
        from pg_class c
       where relkind in ('r', 'p', 'v', 'm', 'f', 'c') or relkind = 'S' and not exists (
               select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('a', 'i'))
      union all
      select 'pg_type'::regclass, oid, typnamespace, typowner, format('type %s', oid::regtype)
        from pg_type where typtype in ('e', 'd', 'r')
      union all
      select 'pg_proc'::regclass, oid, pronamespace, proowner, format('routine %s', oid::regprocedure) from pg_proc
    )
    select phrase from made
     where owner = current_user::regrole and space in (select oid from space)
       and not exists (select from pg_depend where classid = catalog and objid = id and deptype = 'e')
  loop
    execute format('alter %s owner to ${serviceName}', object);
  end loop;
end $$`

async function inSession(url: URL, run: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({
    connectionString: url.href,
    connectionTimeoutMillis: 5000,
    query_timeout: statementTimeoutMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await run(client)
  } finally {
    await client.end().catch(() => {})
  }
}
