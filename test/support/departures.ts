import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { atEnd } from './at-end.ts'

/** What undici tells of a request, when it is made and when it leaves. */
type Told = { request: { headers: string[] } }

/**
 * When the attempts of workers in this process begin and leave: a slow machine may see them arrive long after, and in another
 * order. Of several attempts of an event the last one counts.
 */
export function followDepartures(): {
  /** The ids of these events in the order in which their attempts began. */
  order(ids: readonly string[]): string[]
  /** On the clock of `performance.now()`. */
  leftAt(id: string): number
  /** The attempts that have left. */
  count(): number
} {
  const begun = new Set<string>()
  const left = new Map<string, number>()
  let count = 0
  const idOf = ({ request: { headers } }: Told) => headers[headers.indexOf('x-service-webhook-id') + 1]
  const follow = (channel: string, note: (id: string) => void) => {
    const onMessage = (message: unknown) => {
      const told = message as Told
      if (told.request.headers.includes('x-service-webhook-id')) note(idOf(told) as string)
    }
    subscribe(channel, onMessage)
    atEnd(() => void unsubscribe(channel, onMessage))
  }
  follow('undici:request:create', (id) => {
    begun.delete(id)
    begun.add(id)
  })
  follow('undici:client:sendHeaders', (id) => {
    left.set(id, performance.now())
    count++
  })
  return {
    order: (ids) => [...begun].filter((id) => ids.includes(id)),
    leftAt(id) {
      const at = left.get(id)
      if (at === undefined) throw new Error(`No attempt of ${id} has left.`)
      return at
    },
    count: () => count,
  }
}
