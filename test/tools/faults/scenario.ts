import type { Load, Target } from './load.ts'
import type { Stage, Variant } from './stage.ts'
import type { LoadedTenant } from './tenant.ts'

/** What a fault can use to do its work. */
export type ScenarioContext = {
  stage: Stage
  tenants: readonly LoadedTenant[]
  load: Load
  isLong: boolean
  /** From 0 up to 1. */
  random(): number
  /** Sends all requests to this process from now on; null alternates between the API processes. */
  sendTo(target: Target | null): void
  /** Reports a violation in a sentence. */
  finding(sentence: string): void
}

export type Scenario = {
  name: string
  /** The kind of stage; direct when absent. */
  variant?: Variant
  /** Whether the tests also run the scenario, once. Other scenarios have a test of their own, or take long. */
  inCi: boolean
  /** Whether answers may be late: a frozen process answers when it continues, however late. */
  answersLate?: boolean
  /** The number of rounds with `--long`. */
  longRounds: number
  /** Resolves when the fault is over; from then on recovery is measured. */
  inflict(scene: ScenarioContext): Promise<void>
}
