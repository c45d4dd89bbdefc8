import { Socket } from 'node:net'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { connectDatabase } from '../../src/database/client.ts'
import { Prisma } from '../../src/database/generated/client.ts'
import { slicedReader } from '../../src/database/read-in-slices.ts'
import { computedColumns, query } from '../../src/database/sql.ts'
import { toTestUrl } from '../support/url-of-tests.ts'

function connect() {
  const database = connectDatabase({ url: toTestUrl(inject('databaseUrl')), maxConnections: 3 })
  onTestFinished(() => database.close())
  return database.pool
}

/** Eight rows of 300 KB. `isAlone` is false while another such statement runs. */
const longList = (name: string) => query`
  select ${computedColumns({
    isAlone: ['boolean', Prisma.sql`pg_try_advisory_xact_lock(hashtext(${name}))`],
    value: ['text', Prisma.sql`repeat('x', 300000) || i`],
  })} from generate_series(1, 8) i`

it("no data is read from the database's socket while a slice of a long list is processed", async () => {
  const pool = connect()
  const pause = vi.spyOn(Socket.prototype, 'pause')
  onTestFinished(() => pause.mockRestore())

  const rows = await slicedReader(pool, 'slices').query(longList('slices'))

  expect(rows.map(({ value }) => `${value}`.slice(299_999))).toEqual(
    [1, 2, 3, 4, 5, 6, 7, 8].map((index) => `x${index}`),
  )
  expect(pause.mock.calls.length).toBeGreaterThanOrEqual(8)
})

it("an owner's long lists are read one at a time", async () => {
  const { query: readRows } = slicedReader(connect(), 'one by one')
  await readRows(longList('one by one'))

  const lists = await Promise.all([1, 2, 3].map(() => readRows(longList('one by one'))))

  expect(lists.flat().map(({ isAlone }) => isAlone)).toEqual(Array(24).fill(true))
})
