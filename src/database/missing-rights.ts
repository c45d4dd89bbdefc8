import type pg from 'pg'

/** The SQLSTATEs of a missing right, and of a missing schema, which may exist without being visible to the user. */
const missingRightStates = ['42501', '3F000']

/** The schema of pg-boss's tables; the role that creates it owns it. */
const jobsSchema = 'pgboss'

type Rights = {
  role: string
  database: string
  schema: string
  mayUseSchema: boolean
  mayCreateInSchema: boolean
  mayCreateSchemas: boolean
  hasJobsSchema: boolean
  /** The migrations' extensions that do not exist yet. */
  missingExtensions: string[]
  /** The owner of the service's tables, if that is another role. */
  otherOwner: string | null
}

const readRightsText = `
  with target as (select coalesce(to_regnamespace(quote_ident(current_schema())), 'public'::regnamespace) as schema),
    jobs as (select to_regnamespace('${jobsSchema}') as schema)
  select quote_ident(current_user) as role, quote_ident(current_database()) as database, target.schema::text as schema,
    has_schema_privilege(target.schema::oid, 'USAGE') as "mayUseSchema",
    has_schema_privilege(target.schema::oid, 'CREATE') as "mayCreateInSchema",
    has_database_privilege(current_database(), 'CREATE') as "mayCreateSchemas",
    jobs.schema is not null as "hasJobsSchema",
    array(select name from unnest(array['pg_trgm', 'btree_gin']) as name
           where not exists (select from pg_extension where extname = name)) as "missingExtensions",
    (select quote_ident(pg_get_userbyid(relowner)) from pg_class
     where relnamespace in (target.schema::oid, jobs.schema::oid) and relkind in ('r', 'p')
       and not pg_has_role(relowner, 'USAGE')
     limit 1) as "otherOwner"
  from target, jobs`

/**
 * Finds the statements with which the database's owner grants this connection's role the rights that the service still lacks.
 */
async function findMissingGrants(client: Pick<pg.Client, 'query'>): Promise<string[]> {
  const { rows } = await client.query<Rights>(readRightsText)
  const rights = rows[0] as Rights
  const { role, database, schema, otherOwner } = rights
  return [
    ...(rights.mayUseSchema && rights.mayCreateInSchema ? [] : [`GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${role};`]),
    // A role with CREATE on the database may create schemas and also these extensions, because PostgreSQL trusts them.
    ...(rights.mayCreateSchemas || !rights.hasJobsSchema
      ? []
      : rights.missingExtensions.map((name) => `CREATE EXTENSION ${name} SCHEMA ${schema};`)),
    ...(rights.hasJobsSchema || rights.mayCreateSchemas ? [] : [`GRANT CREATE ON DATABASE ${database} TO ${role};`]),
    // Only an owner may alter a table or index, so this right can be granted only by membership.
    ...(otherOwner === null ? [] : [`GRANT ${otherOwner} TO ${role};`]),
  ]
}

/** A sentence to append to a message; empty if no right is missing. */
export async function adviseGrants(client: Pick<pg.Client, 'query'>): Promise<string> {
  const grants = await findMissingGrants(client).catch(() => [])
  return grants.length === 0 ? '' : `. As the owner of the database, run: ${grants.join(' ')}`
}

export function isMissingRight(error: unknown): boolean {
  return missingRightStates.includes(String((error as { code?: unknown } | null)?.code))
}
