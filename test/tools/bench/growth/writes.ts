/** Compares writes whose cost could grow with the rows they touch. */
import { request } from '../exchanges.ts'
import { features } from '../people-seed.ts'
import { startBareServer } from '../processes.ts'
import type { Scale } from './database.ts'
import { withClient } from './database.ts'
import { seedOrganization } from './evals.ts'
import type { Line } from './line.ts'
import { compareTimes, expectingStatus } from './times.ts'

type ChangeOptions = { ports: Record<Scale, number>; urls: Record<Scale, string>; key: string }

/** Changes a grant of a plan that 70 % of the subscribers have. It queues one event, whatever their number. */
export async function* comparePlanChange({ ports, urls, key }: ChangeOptions): AsyncGenerator<Line> {
  const receiver = await startBareServer('')
  try {
    const url = JSON.stringify({ url: `http://127.0.0.1:${receiver.port}` })
    const none = { times: 1 }
    const put = (scale: Scale) => ({
      port: ports[scale],
      next: () => expectingStatus(request('PUT', '/org/webhook', key, url)),
    })
    await compareTimes('', put('small'), put('large'), none)
    const before = await countQueuedEvents(urls.large)
    let changes = 0
    const change = (scale: Scale) => {
      let limit = Date.now()
      const next = () => {
        limit++
        if (scale === 'large') changes++
        const grants = Object.fromEntries(
          Array.from({ length: features }, (_, n) => [`feature-${n}`, { kind: 'limit', limit: n === 3 ? limit : n }]),
        )
        return expectingStatus(request('PATCH', '/org/plans/plan-0', key, JSON.stringify({ grants })))
      }
      return { port: ports[scale], next }
    }
    yield await compareTimes('change of a plan, to the answer', change('small'), change('large'), {
      atMostTimes: 2,
      times: 21,
    })
    const queued = (await countQueuedEvents(urls.large)) - before
    if (queued !== changes) throw new Error(`${changes} changes of a plan queued ${queued} events`)
  } finally {
    await receiver.stop()
  }
}

function countQueuedEvents(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query(`select count(*)::int as queued from webhook_event where state = 'queued'`)
    return rows[0].queued
  })
}

/** Compares deleting subscribers with one override and with 500. */
export async function* compareDelete({ url, port }: { url: string; port: number }): AsyncGenerator<Line> {
  const key = await seedOrganization(url, 500, 'overrides')
  const side = (prefix: string) => {
    let n = 0
    return { port, next: () => expectingStatus(request('DELETE', `/org/subscribers/${prefix}-${n++}`, key), '204') }
  }
  yield await compareTimes('delete a subscriber', side('one'), side('many'), { atMostMs: 100, times: 21 })
}
