import { nextCheck, nextCreateSubscriber, nextCreateSubscription, nextPut, nextSnapshot } from '../exchanges.ts'
import type { Exchange } from '../http-load.ts'
import { size } from '../model.ts'

export const kinds = ['check', 'snapshot', 'write'] as const
export type Kind = (typeof kinds)[number]

/** How many of a hundred requests are of each kind. */
export const percents: Record<Kind, number> = { check: 90, snapshot: 8, write: 2 }

/** Evals read these subscribers, and writes change the others, so that every eval's answer is known beforehand. */
const evaluated = size.subscribers - 100

/** The next request of each kind. Half of the writes put an override, and half create a subscriber or subscribe one. */
export function nextOf(keys: readonly string[]): Record<Kind, () => Exchange> {
  const created: { organization: number; subscriberId: string }[] = []
  return {
    check: () => nextCheck(keys, evaluated),
    snapshot: () => nextSnapshot(keys, evaluated),
    write: () => {
      if (Math.random() < 0.5) return nextPut(keys, evaluated)
      return created.length > 0 ? nextCreateSubscription(keys, created) : nextCreateSubscriber(keys, created)
    },
  }
}

/** Requests of all kinds, and how long each took. */
export function mix(next: Record<Kind, () => Exchange>): { next: () => Exchange; latencies: Record<Kind, number[]> } {
  const latencies: Record<Kind, number[]> = { check: [], snapshot: [], write: [] }
  const pick = (): Kind => {
    const drawn = Math.random() * 100
    if (drawn < percents.check) return 'check'
    return drawn < percents.check + percents.snapshot ? 'snapshot' : 'write'
  }
  return {
    latencies,
    next: () => {
      const kind = pick()
      const { request, faultOf } = next[kind]()
      const sentAt = performance.now()
      return {
        request,
        faultOf: (status, body, head) => {
          latencies[kind].push(performance.now() - sentAt)
          return faultOf(status, body, head)
        },
      }
    },
  }
}
