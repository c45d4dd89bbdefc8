import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { connectDatabase } from '../../src/database/client.ts'
import { probeUsability, type Usability } from '../../src/database/write-probe.ts'
import { createLog } from '../../src/logging/log.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import type { LogEntry } from '../support/service.ts'
import { until } from '../support/until.ts'
import { toTestUrl } from '../support/url-of-tests.ts'

/**
 * Starts a log that follows a database behind a proxy; `run` sends a statement and logs its failure. With `checksOnDemand`,
 * each check of the database waits for `allowCheck`, so that it comes after the failures, however long they take.
 */
async function start({ checksOnDemand = false } = {}) {
  const proxy = await startDatabaseProxy(inject('databaseUrl'))
  const lines: LogEntry[] = []
  const log = createLog({
    level: 'info',
    format: 'json',
    stream: { write: (line) => void lines.push(JSON.parse(line)) },
  })
  const database = connectDatabase({ url: toTestUrl(proxy.url), logger: log.logger })
  // On a slow machine, some of many connections do not open in time.
  await until(async () => {
    await Promise.allSettled(Array.from({ length: 20 }, () => database.pool.query('select pg_sleep(0.05)')))
    return database.pool.totalCount === 20
  })
  const waitingChecks: (() => void)[] = []
  const check = () => probeUsability(database.pool)
  const checkOnDemand = () => new Promise<Usability>((resolve) => waitingChecks.push(() => resolve(check())))
  const stopFollowing = log.followDatabase(checksOnDemand ? checkOnDemand : check)
  onTestFinished(async () => {
    stopFollowing()
    await database.close()
    await proxy.close()
  })
  const run = (sql: string) =>
    database.pool.query(sql).then(
      () => {},
      (error) => log.logger.error({ err: error, requestId: 'req_1' }, 'a request failed'),
    )
  const messages = () => lines.map(({ msg }) => msg)
  /** Lets the next check begin, even if it is requested only later. */
  const allowCheck = async () => (await until(() => waitingChecks.shift()))()
  return { proxy, run, lines, messages, allowCheck }
}

const begin = 'the database cannot be used: failures for this reason are not logged until it can be used again'
const noWrites =
  'the database takes no writes, because its disk is full, but answers evals: failures for this reason are not logged until it can be used again'
const end = 'the database can be used again'

describe('an outage of the database', () => {
  it('is logged in one line at its beginning and one at its end, however many statements fail', async () => {
    const { proxy, run, lines, messages } = await start()
    await run('select 1')

    for (const count of [1, 2]) {
      proxy.refuseConnections()
      await Promise.all(Array.from({ length: 50 }, () => run('select 1')))
      await expect.poll(() => messages().filter((each) => each === begin)).toHaveLength(count)
      await Promise.all(Array.from({ length: 50 }, () => run('select 1')))
      proxy.open()
      await expect.poll(() => messages().filter((each) => each === end)).toHaveLength(count)
    }

    expect(messages()).toEqual([begin, end, begin, end])
    expect(lines[0]).toMatchObject({ level: 50, error: { message: expect.any(String) } })
    expect(lines[1]).toMatchObject({ level: 40, seconds: expect.any(Number), leftOut: expect.any(Number) })
    expect(lines[1]?.leftOut).toBeGreaterThan(50)
  })

  it("does not include errors in the database's answers: these are logged, similar ones only once", async () => {
    const { run, lines, messages, allowCheck } = await start({ checksOnDemand: true })

    await Promise.all(
      Array.from({ length: 10 }, () => run(`do $$ begin raise exception 'later' using errcode = '55P03'; end $$`)),
    )
    await allowCheck()
    await expect.poll(messages).toContain('more failures of this kind were left out')

    expect(messages().slice(0, 3)).toEqual(Array(3).fill('a request failed'))
    expect(lines[0]).toMatchObject({ level: 50, requestId: 'req_1', err: { message: 'later' } })
  })

  it('is also logged in two lines if the disk is full, and lasts as long as statements find no space', async () => {
    const { run, messages, allowCheck } = await start({ checksOnDemand: true })
    const full = () => run(`do $$ begin raise exception 'no space' using errcode = '53100'; end $$`)

    await Promise.all(Array.from({ length: 20 }, full))
    await allowCheck()
    await expect.poll(messages).toContain(noWrites)
    await Promise.all(Array.from({ length: 20 }, full))
    await allowCheck()
    await allowCheck()
    await expect.poll(messages).toContain(end)

    expect(messages()).toEqual([noWrites, end])
  })

  it('does not suppress unrelated lines', async () => {
    const { run, messages } = await start()

    await run('select no_such_column')

    expect(messages()).toEqual(['a request failed'])
  })
})
