import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { atEnd } from './at-end.ts'

/** Undici's message when a request is created, and again when its headers are sent. */
type UndiciMessage = { request: { headers: string[] } }

/**
 * The times at which this process's workers begin and send their attempts: on a slow machine the requests may arrive much
 * later, and in another order. An event has the time of its last attempt.
 */
export function trackSentAttempts(): {
  /** The ids of these events in the order in which their last attempts began. */
  order(ids: readonly string[]): string[]
  /**
   * The same for their first attempts: on a slow machine a batch lease may lapse while an attempt connects, and the attempt
   * then begins again, behind a later one.
   */
  firstOrder(ids: readonly string[]): string[]
  /** When the attempt was sent, on the clock of `performance.now()`. */
  leftAt(id: string): number
  /** The number of attempts sent. */
  count(): number
} {
  const lastBegun = new Set<string>()
  const begunFirst = new Set<string>()
  const leftAtMs = new Map<string, number>()
  let count = 0
  const idOf = ({ request: { headers } }: UndiciMessage) => headers[headers.indexOf('x-service-webhook-id') + 1]
  const follow = (channel: string, note: (id: string) => void) => {
    const onMessage = (message: unknown) => {
      const sent = message as UndiciMessage
      if (sent.request.headers.includes('x-service-webhook-id')) note(idOf(sent) as string)
    }
    subscribe(channel, onMessage)
    atEnd(() => void unsubscribe(channel, onMessage))
  }
  follow('undici:request:create', (id) => {
    lastBegun.delete(id)
    lastBegun.add(id)
    begunFirst.add(id)
  })
  follow('undici:client:sendHeaders', (id) => {
    leftAtMs.set(id, performance.now())
    count++
  })
  return {
    order: (ids) => [...lastBegun].filter((id) => ids.includes(id)),
    firstOrder: (ids) => [...begunFirst].filter((id) => ids.includes(id)),
    leftAt(id) {
      const at = leftAtMs.get(id)
      if (at === undefined) throw new Error(`No attempt of event ${id} was sent.`)
      return at
    },
    count: () => count,
  }
}
