import { median } from '../growth/line.ts'
import { toColumnTable } from '../table.ts'
import { type Kind, kinds, percents } from './mixture.ts'

/** Megabytes of a process: resident in each second of the mixed load, and its heap before and after it. */
export type HalfMemory = { name: string; resident: number[]; heapBefore: number; heapAfter: number }

/** Requests a second: of each kind alone, and of each in the mixture. */
export type Round = { alone: Record<Kind, number>; mixed: Record<Kind, number> }

export type Mixed = {
  seconds: number
  perSecond: number
  rounds: Round[]
  latencies: Record<Kind, number[]>
  memory: HalfMemory[]
  /** Queued events in each second. */
  depths: number[]
  depthAtEnd: number
  emptyMs: number
}

const aims = {
  /** The minimum share that checks must keep: see `keptOf`. */
  kept: 0.8,
  /** The ratio of memory in the last fifth of the time to that in the first. */
  growth: 1.1,
  /** Time until the last event is delivered. */
  emptyMs: 5000,
}

export function describeMixedLoad(mixed: Mixed, isBroken: () => void): string {
  const assess = (isKept: boolean) => {
    if (!isKept) isBroken()
    return isKept ? '✓' : '✗'
  }
  return [ratesOf(mixed), keptOf(mixed, assess), memoryOf(mixed, assess), queueOf(mixed, assess)].join('\n\n')
}

type Verdict = (isKept: boolean) => string

function ratesOf({ rounds, latencies, seconds }: Mixed): string {
  const rows = kinds.map((kind) => {
    const sorted = Float64Array.from(latencies[kind]).sort()
    const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)
    const shortly = median(rounds.map(({ mixed }) => mixed[kind])).toFixed(0)
    const alone = median(rounds.map((round) => round.alone[kind])).toFixed(0)
    const share = median(rounds.map((round) => round.mixed[kind] / round.alone[kind])).toFixed(2)
    const perSecond = (sorted.length / seconds).toFixed(0)
    return [`${kind}, ${percents[kind]} %`, perSecond, at(0.5), at(0.99), alone, shortly, share]
  })
  const columns = ['', 'a second', 'p50 ms', 'p99 ms', 'in turns: alone', 'mixed', 'share']
  return toColumnTable(columns, rows)
}

/**
 * The share that checks keep: their rate in the mixture, divided by their rate alone in the time that other kinds leave.
 * Other kinds take the time that they need alone: a write costs as much as many checks, so 2 % of writes matter.
 */
function keptOf({ rounds, seconds, perSecond }: Mixed, assess: Verdict): string {
  const others = ({ alone, mixed }: Round) => mixed.snapshot / alone.snapshot + mixed.write / alone.write
  const taken = median(rounds.map(others))
  const kept = median(rounds.map((round) => round.mixed.check / round.alone.check / (1 - others(round))))
  const plain = median(rounds.map(({ alone, mixed }) => mixed.check / alone.check))
  return [
    `In ${seconds} s ${perSecond.toFixed(0)} requests a second. In the turns, snapshots and writes took ${(taken * 100).toFixed(0)} % of the time by what`,
    `they cost alone. In the rest of it, checks kept ${kept.toFixed(2)} of their rate alone (at least ${aims.kept} ${assess(kept >= aims.kept)}); they had ${plain.toFixed(2)}`,
    'of it over the whole time.',
  ].join('\n')
}

function memoryOf({ memory }: Mixed, assess: Verdict): string {
  const rows = memory.map(({ name, resident, heapBefore, heapAfter }) => {
    const fifth = Math.max(1, Math.floor(resident.length / 5))
    const [first, last] = [mean(resident.slice(0, fifth)), mean(resident.slice(-fifth))]
    // Code compiled during the load adds a few megabytes of heap.
    const isFlat = last <= first * aims.growth && heapAfter <= heapBefore * aims.growth + 5
    const figures = [first, last, heapBefore, heapAfter].map((megabytes) => megabytes.toFixed(0))
    return [name, ...figures, (last / first).toFixed(2), assess(isFlat)]
  })
  const columns = ['memory', 'first fifth MB', 'last fifth MB', 'heap before MB', 'heap after MB', 'ratio', '']
  return toColumnTable(columns, rows)
}

function queueOf({ depths, depthAtEnd, emptyMs }: Mixed, assess: Verdict): string {
  const fifth = Math.max(1, Math.floor(depths.length / 5))
  const of = (samples: number[]) => mean(samples).toFixed(0)
  return [
    `Queued events: ${of(depths.slice(0, fifth))} in the first fifth, ${of(depths.slice(-fifth))} in the last, at most ${Math.max(0, ...depths)};`,
    `${depthAtEnd} at the end, none ${(emptyMs / 1000).toFixed(1)} s later ${assess(emptyMs <= aims.emptyMs)}`,
  ].join(' ')
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
