import pg from 'pg'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ChangeFeed } from '../../src/changes/feed.ts'
import { poll } from '../../src/changes/follow.ts'
import type { Cursor } from '../../src/changes/position.ts'
import { newId } from '../../src/core/ids.ts'
import { migrate } from '../../src/database/migrate.ts'
import { administer } from '../support/administer.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { Cluster } from '../tools/faults/cluster.ts'
import { hasDebianPostgres, ReplicatedCluster } from '../tools/faults/replicated-cluster.ts'

const organizationId = newId()

/** A reader and a writer of changes in the database at this address. */
async function open<Result>(url: string, work: (at: ReturnType<typeof actOn>) => Promise<Result>): Promise<Result> {
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  pool.on('error', () => {})
  try {
    return await work(actOn(pool, url))
  } finally {
    await pool.end()
  }
}

function actOn(pool: pg.Pool, directUrl: string) {
  const feed = new ChangeFeed({ pool, directUrl, logger: pino({ level: 'silent' }) })
  return {
    read: (after: Cursor | null) =>
      poll(
        feed,
        {
          organizationId,
          credential: '',
          own: null,
          after,
          limit: 100,
          retentionMs: 3_600_000,
          inQueue: (read) => read(),
        },
        { waitMs: 0, signal: AbortSignal.abort() },
      ),
    write: () =>
      pool.query(
        `insert into change (organization_id, change_id, type, body) values ($1, $2, 'catalog.updated', '{}')`,
        [organizationId, newId()],
      ),
    run: (sql: string) => pool.query(sql),
  }
}

const cursorOf = (url: string) => open(url, async ({ read }) => (await read(null)).cursor)
const readAfter = (url: string, cursor: Cursor) => open(url, ({ read }) => read(cursor))

describe('a cursor', () => {
  it('continues after a clean stop of PostgreSQL, and is answered with a reset after a crash', async () => {
    const cluster = await Cluster.start()
    onTestFinished(() => cluster.remove())
    const cursor = await cursorOf(cluster.url)
    await open(cluster.url, ({ write }) => write())

    await cluster.stop()
    await cluster.startAgain()
    const read = await readAfter(cluster.url, cursor)
    expect(read).toMatchObject({ changes: [{ type: 'catalog.updated' }], isReset: false })

    await cluster.kill()
    await cluster.startAgain()
    const reset = await readAfter(cluster.url, read.cursor)
    expect(reset).toMatchObject({ changes: [], isReset: true })
    expect(await readAfter(cluster.url, reset.cursor)).toMatchObject({ changes: [], isReset: false })
  })

  it('is answered with a reset in a copy of the database', async () => {
    const url = await createOwnDatabase()
    const cursor = await cursorOf(url)
    const copy = new URL(url)
    copy.pathname = `${copy.pathname}_copy`
    await administer(
      new URL('/postgres', url).href,
      `create database ${copy.pathname.slice(1)} template ${new URL(url).pathname.slice(1)}`,
    )
    onTestFinished(() =>
      administer(new URL('/postgres', url).href, `drop database ${copy.pathname.slice(1)} with (force)`),
    )

    expect(await readAfter(copy.href, cursor)).toMatchObject({ changes: [], isReset: true })
    expect(await readAfter(url, cursor)).toMatchObject({ isReset: false })
  })

  it('is answered with a reset after a failover to a standby, which may lack the last changes', async ({ skip }) => {
    if (!hasDebianPostgres) return skip('there is no PostgreSQL with pg_basebackup')
    const cluster = await ReplicatedCluster.start()
    onTestFinished(() => cluster.remove())
    await migrate({ url: cluster.url })
    await cursorOf(cluster.url)
    await cluster.stopReplication()
    await open(cluster.url, ({ write }) => write())
    const cursor = await cursorOf(cluster.url)

    await cluster.failOver()

    await open(cluster.url, async ({ read, write }) => {
      await write()
      const reset = await read(cursor)
      expect(reset).toMatchObject({ changes: [], isReset: true })
      await write()
      expect((await read(reset.cursor)).changes).toHaveLength(1)
    })
  })

  it('is answered with a reset once an operator has requested it', async () => {
    const url = await createOwnDatabase()
    const cursor = await cursorOf(url)

    await open(url, ({ run }) => run('delete from change_epoch'))

    expect(await readAfter(url, cursor)).toMatchObject({ changes: [], isReset: true })
  })
})
