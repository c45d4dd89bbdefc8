import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { callerOf, startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'
import { openStream } from './event-stream.ts'

const [one, other] = await Promise.all([startService(), startService()])
const { pool } = one.database

const idsOf = (bodies: readonly string[]) => bodies.map((body): string => JSON.parse(body).id)
const randomBelow = (limit: number) => Math.floor(Math.random() * limit)

/** Writes changes in one transaction, waits, and commits or rolls back. */
async function writeLate(organizationId: string): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (let count = 1 + randomBelow(3); count > 0; count--) {
      const id = newId()
      const head = {
        id,
        type: 'catalog.updated',
        occurred_at: new Date().toISOString(),
        organization_id: organizationId,
      }
      await client.query(
        `insert into change (organization_id, change_id, type, body) values ($1, $2, 'catalog.updated', $3)`,
        [organizationId, id, JSON.stringify(head)],
      )
    }
    await wait(randomBelow(150))
    await client.query(randomBelow(4) === 0 ? 'rollback' : 'commit')
  } finally {
    client.release()
  }
}

it('readers on two processes get every committed change while twenty writers commit in any order', async () => {
  const caller = await one.organization()
  const there = callerOf(other.url, caller)
  const { organizationId, key } = caller
  const start = (await vendor(caller).get('/org/changes')).cursor
  let isWriting = true

  const polled = new Set<string>()
  async function poll(url: string): Promise<void> {
    let cursor = start
    for (let isLast = false; !isLast; ) {
      isLast = !isWriting
      let hasMore = true
      while (hasMore) {
        const query = `after=${cursor}&limit=${1 + randomBelow(7)}&wait=${randomBelow(2)}`
        const answer = await callerOf(url, caller).rest('GET', `/org/changes?${query}`)
        if (answer.status === 429) {
          await wait(50)
          continue
        }
        expect(answer).toMatchObject({ status: 200, body: { reset: false } })
        for (const { id } of answer.body.changes) polled.add(id)
        cursor = answer.body.cursor
        hasMore = answer.body.has_more
      }
    }
  }

  const resumed = new Set<string>()
  async function resume(): Promise<void> {
    let after = start
    while (isWriting) {
      const stream = await openStream(`${other.url}/org/changes?after=${after}`, { 'x-api-key': key })
      await stream.take('ready')
      await wait(randomBelow(200))
      await stream.leave()
      after = stream.events.at(-1)?.id ?? after
      for (const id of idsOf(stream.changes())) resumed.add(id)
    }
    const last = await openStream(`${one.url}/org/changes?after=${after}`, { 'x-api-key': key })
    await until(() => last.events.some(({ event }) => event === 'alive'))
    for (const id of idsOf(last.changes())) resumed.add(id)
    await last.leave()
  }

  const streams = await Promise.all(
    [one, other].map(({ url }) => openStream(`${url}/org/changes`, { 'x-api-key': key })),
  )
  for (const stream of streams) await stream.take('ready')
  const reading = [poll(one.url), poll(other.url), resume()]
  await Promise.all([
    ...Array.from({ length: 18 }, async () => {
      for (let round = 0; round < 20; round++) await writeLate(organizationId)
    }),
    ...[caller, there].map(async (by, index) => {
      for (let round = 0; round < 30; round++) await vendor(by).feature(`f${index}-${round}`)
    }),
  ])
  isWriting = false
  await Promise.all(reading)

  const { rows } = await pool.query('select change_id as id from change where organization_id = $1', [organizationId])
  const committed = rows.map(({ id }): string => id).toSorted()
  expect(committed.length).toBeGreaterThan(300)
  expect([...polled].toSorted()).toEqual(committed)
  expect([...resumed].toSorted()).toEqual(committed)
  for (const stream of streams) {
    await until(() => stream.changes().length >= committed.length)
    expect(idsOf(stream.changes()).toSorted()).toEqual(committed)
  }
})

it('a follower that joins while earlier changes are still being sent gets only later changes', async () => {
  const caller = await one.organization()
  const follow = () => openStream(`${one.url}/org/changes`, { 'x-api-key': caller.key })
  const early = await follow()
  await early.take('ready')
  const ids = Array.from({ length: 500 }, () => newId())
  await pool.query(
    `insert into change (organization_id, change_id, type, body)
     select $1, id, 'catalog.updated', json_build_object('id', id, 'type', 'catalog.updated', 'padding', repeat('x', 20000))
       from unnest($2::text[]) as id`,
    [caller.organizationId, ids],
  )

  const late = await follow()
  await late.take('ready')
  await until(() => early.changes().length >= ids.length)
  await vendor(caller).feature('later')
  await late.take('catalog.updated')

  expect(idsOf(late.changes())).toEqual([])
  expect(idsOf(early.changes()).slice(0, ids.length).toSorted()).toEqual(ids.toSorted())
})

it('a follower that starts to read late still gets every change', async () => {
  const caller = await one.organization()
  const stream = await openStream(`${one.url}/org/changes`, { 'x-api-key': caller.key }, { readsAtOnce: false })
  const body = (id: string) =>
    JSON.stringify({ id, type: 'catalog.updated', organization_id: caller.organizationId, padding: 'x'.repeat(20_000) })
  const ids = Array.from({ length: 400 }, () => newId())
  for (const id of ids) {
    await pool.query(
      `insert into change (organization_id, change_id, type, body) values ($1, $2, 'catalog.updated', $3)`,
      [caller.organizationId, id, body(id)],
    )
  }
  stream.read()

  const found = () => new Set(stream.changes().map((text): string => JSON.parse(text).id))
  await until(() => found().size === ids.length)
  expect([...found()].toSorted()).toEqual(ids.toSorted())
})
