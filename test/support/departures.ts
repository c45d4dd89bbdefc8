import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { atEnd } from './at-end.ts'

const channel = 'undici:client:sendHeaders'

/**
 * When the attempts of workers in this process leave, on the clock of `performance.now()`: a slow machine may see them arrive
 * long after. By the id of the event; of several attempts the last one counts.
 */
export function followDepartures(): { leftAt(id: string): number; count(): number } {
  const departures = new Map<string, number>()
  let count = 0
  const note = (message: unknown) => {
    const [, id] = /^x-service-webhook-id: (\S+)/im.exec((message as { headers: string }).headers) ?? []
    if (id === undefined) return
    departures.set(id, performance.now())
    count++
  }
  subscribe(channel, note)
  atEnd(() => void unsubscribe(channel, note))
  return {
    leftAt(id) {
      const at = departures.get(id)
      if (at === undefined) throw new Error(`No attempt of ${id} has left.`)
      return at
    },
    count: () => count,
  }
}
