import { setTimeout as wait } from 'node:timers/promises'
import { type Exchange, runLoad } from '../http-load.ts'
import { type Line, median } from './line.ts'

/** Sequential requests of one side; calls `next` for each. */
type TimedSide = { port: number; next: () => Exchange }

export type TimeOptions = {
  /** The large side may take this many times as long. */
  atMostTimes?: number
  /** Below this, any ratio is allowed. */
  atMostMs?: number
  pauseMs?: number
  times?: number
}

/** Median milliseconds of single requests, measured alternately on both sides. */
export async function compareTimes(
  what: string,
  small: TimedSide,
  large: TimedSide,
  { atMostTimes = 2, atMostMs = 0, pauseMs = 0, times = 9 }: TimeOptions = {},
): Promise<Line> {
  const took: { small: number[]; large: number[] } = { small: [], large: [] }
  for (let n = 0; n < times + 2; n++) {
    const ms = [await timeOf(small), await timeOf(large)] as const
    if (pauseMs > 0) await wait(pauseMs)
    // The first requests read from disk, and PostgreSQL plans them.
    if (n < 2) continue
    took.small.push(ms[0])
    took.large.push(ms[1])
  }
  const [ofSmall, ofLarge] = [median(took.small), median(took.large)]
  const ratio = ofLarge / ofSmall
  const isFlat = ratio <= atMostTimes || ofLarge <= atMostMs
  const limit = [`≤ ${atMostTimes}`, ...(atMostMs > 0 ? [`${atMostMs} ms`] : [])].join(' or ')
  return { what, small: `${ofSmall.toFixed(1)} ms`, large: `${ofLarge.toFixed(1)} ms`, ratio, limit, isFlat }
}

async function timeOf({ port, next }: TimedSide): Promise<number> {
  const { maxMs } = await runLoad({ port, connections: 1, requests: 1, next })
  return maxMs
}

/** An exchange that expects this status. */
export function expectingStatus(request: string, expected = '200'): Exchange {
  return { request, faultOf: (status) => (status === expected ? null : `an answer that is not ${expected}`) }
}
