import pg from 'pg'
import { nextCheck, nextPut } from './exchanges.ts'
import { type Exchange, runLoad } from './http-load.ts'
import { size, subscriberId } from './model.ts'
import { cpuMilliseconds, type Service, startByHandServer } from './processes.ts'
import { toColumnTable } from './table.ts'

type Options = { service: Service; keys: readonly string[]; connections: number; durationMs: number }

/** Compares a check and a put of an override with a server written by hand, in one run. Yields lines to print. */
export async function* runByHand({ service, keys, connections, durationMs }: Options): AsyncGenerator<string> {
  const ids = await readOrganizations(service.databaseUrl)
  const byHand = await startByHandServer(service.databaseUrl)
  const next = (path: string) => () => exchangeOf(path, ids)
  try {
    const cases = [
      { name: 'check', ...service, next: () => nextCheck(keys) },
      { name: 'a query by hand, pg', ...byHand, next: next('pg/eval') },
      { name: 'a query by hand, Prisma', ...byHand, next: next('prisma/eval') },
      { name: 'put override', ...service, next: () => nextPut(keys) },
      { name: 'a transaction by hand, pg', ...byHand, next: next('pg/write') },
      { name: 'a transaction by hand, Prisma', ...byHand, next: next('prisma/write') },
    ]
    const rows = []
    let own = 0
    for (const { name, port, pid, next } of cases) {
      await runLoad({ port, connections, durationMs: durationMs / 2, next })
      const before = await cpuMilliseconds(pid)
      const { perSecond, requests, p50Ms, p99Ms } = await runLoad({ port, connections, durationMs, next })
      const cpuMs = ((await cpuMilliseconds(pid)) - before) / requests
      if (pid === service.pid) own = perSecond
      const times = [p50Ms.toFixed(1), p99Ms.toFixed(1), cpuMs.toFixed(2)]
      rows.push([name, perSecond.toFixed(0), ...times, (own / perSecond).toFixed(2)])
    }
    yield toColumnTable(['', 'a second', 'p50 ms', 'p99 ms', 'CPU ms', 'ours / this'], rows)
  } finally {
    await byHand.stop()
  }
}

async function readOrganizations(connectionString: string): Promise<string[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query<{ id: string }>('select organization_id as id from feature group by 1')
  await client.end()
  return rows.map(({ id }) => id)
}

function exchangeOf(path: string, ids: readonly string[]): Exchange {
  const organization = ids[Math.floor(Math.random() * ids.length)]
  const subscriber = subscriberId(Math.floor(Math.random() * size.subscribers))
  return {
    request: `GET /${path}/${organization}/${subscriber} HTTP/1.1\r\nHost: bench\r\n\r\n`,
    faultOf: (status) => (status === '200' ? null : 'an answer that is not 200'),
  }
}
