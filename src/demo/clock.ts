import pg from 'pg'

/*
 * The real operations write the demo's history, each at its moment in the past: the demo sets the clock that they read. In
 * this process it replaces Date.now(), from which ids take their time. In the database, functions shadow PostgreSQL's own, but
 * only on the search path of the demo's connections, so a server that runs beside the demo is not affected.
 */

const schema = 'entitlements_demo'

export type DemoClock = {
  /** The address of the same database for connections that see this clock. */
  url: string
  now(): Date
  /** Sets the clock, which then keeps running. It never goes backwards, because ids ascend. */
  set(moment: Date): Promise<void>
  /** Restores the real time and removes the functions. */
  end(): Promise<void>
}

export async function startDemoClock(databaseUrl: string): Promise<DemoClock> {
  const client = new pg.Client({ connectionString: databaseUrl })
  // A lost connection also rejects the next statement.
  client.on('error', () => {})
  await client.connect()
  await client.query(`
    set synchronous_commit = off;
    drop schema if exists ${schema} cascade;
    create schema ${schema};
    create table ${schema}.moment as select pg_catalog.clock_timestamp() as at, pg_catalog.clock_timestamp() as set_at;
    create function ${schema}.clock_timestamp() returns timestamptz language sql volatile
      return (select at + (pg_catalog.clock_timestamp() - set_at) from ${schema}.moment);
    create function ${schema}.statement_timestamp() returns timestamptz language sql volatile
      return ${schema}.clock_timestamp();
    create function ${schema}.now() returns timestamptz language sql volatile
      return ${schema}.clock_timestamp()`)
  const realNow = Date.now
  let aheadMs = 0
  Date.now = () => realNow() + aheadMs

  return {
    url: withDemoClock(databaseUrl),
    now: () => new Date(Date.now()),
    async set(moment) {
      await client.query(`update ${schema}.moment set at = $1, set_at = pg_catalog.clock_timestamp()`, [moment])
      aheadMs = moment.getTime() - realNow()
    },
    async end() {
      Date.now = realNow
      await client.query(`drop schema ${schema} cascade`)
      await client.end()
    },
  }
}

/** The address with the demo's search path. Commits need not wait for the disk: after a crash, the demo is filled again. */
function withDemoClock(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.set('options', `-c search_path=${schema},pg_catalog,public -c synchronous_commit=off`)
  return url.href
}
