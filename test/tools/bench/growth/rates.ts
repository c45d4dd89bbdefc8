import { type Exchange, runLoad } from '../http-load.ts'
import { type Line, median } from './line.ts'

type Side = { port: number; next: () => Exchange }

export type RateOptions = { connections: number; durationMs: number; least?: number }

const rounds = 15

/**
 * Requests a second, measured alternately on both sides, so that other work of the machine slows both. The ratio is the
 * median of the rounds.
 */
export async function compareRates(what: string, small: Side, large: Side, options: RateOptions): Promise<Line> {
  const { connections, durationMs, least } = options
  const rates: { small: number[]; large: number[] } = { small: [], large: [] }
  const measure = async (side: Side, into: number[], forMs: number) => {
    into.push((await runLoad({ ...side, connections, durationMs: forMs })).perSecond)
  }
  await measure(small, [], durationMs)
  await measure(large, [], durationMs)
  for (let round = 0; round < rounds; round++) {
    const turns = [() => measure(small, rates.small, durationMs), () => measure(large, rates.large, durationMs)]
    for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn()
  }
  const ratio = median(rates.large.map((rate, round) => rate / (rates.small[round] as number)))
  const perSecond = (values: number[]) => `${median(values).toFixed(0)}/s`
  const limit = least === undefined ? {} : { limit: `≥ ${least}`, isFlat: ratio >= least }
  return { what, small: perSecond(rates.small), large: perSecond(rates.large), ratio, ...limit }
}
