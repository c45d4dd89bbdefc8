import type { EvalCaller, GateOptions } from '../../src/gate/gate.ts'
import { countKinds, openGate } from './harness.ts'

type Load = {
  /** Returns the caller of the next eval. */
  caller: () => EvalCaller
  /** How many evals run at each gate at the same time. */
  inFlight: number
  /** How many evals each gate gets in total; if absent, as many as begin within `durationMs`. */
  evals?: number
  durationMs?: number
  gate?: Partial<GateOptions>
}

/**
 * Runs checks and snapshots of `acme` at two gates, which share nothing but the database, like the gates of two API processes.
 * Returns the number of outcomes of each kind.
 */
export async function loadTwoGates({ caller, inFlight, gate, ...load }: Load): Promise<Record<string, number>> {
  const { evals = Number.POSITIVE_INFINITY, durationMs = Number.POSITIVE_INFINITY } = load
  await using one = openGate(gate)
  await using two = openGate(gate)
  const endsAt = performance.now() + durationMs
  const outcomes: { kind: string }[] = []

  async function loadGate({ evaluate }: typeof one): Promise<void> {
    let begun = 0
    async function evaluateInTurn(): Promise<void> {
      while (begun < evals && performance.now() < endsAt) {
        const features = begun++ % 2 === 0 ? ['seats'] : null
        outcomes.push(await evaluate({ ...caller(), subscriberId: 'acme', features }))
      }
    }
    await Promise.all(Array.from({ length: inFlight }, evaluateInTurn))
  }
  await Promise.all([loadGate(one), loadGate(two)])
  return countKinds(outcomes)
}
