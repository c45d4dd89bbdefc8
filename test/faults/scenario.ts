import type { Load, Target } from './load.ts'
import type { Stage, Variant } from './stage.ts'
import type { LoadedTenant } from './tenant.ts'

/** What a fault has at hand. */
export type Scene = {
  stage: Stage
  tenants: readonly LoadedTenant[]
  load: Load
  isLong: boolean
  /** From 0 up to 1. */
  random(): number
  /** Sends all requests there from now on; null: to the API processes in turn. */
  sendTo(target: Target | null): void
  /** What must not happen, in a sentence. */
  finding(sentence: string): void
}

export type Scenario = {
  name: string
  /** Of the stage; direct when absent. */
  variant?: Variant
  /** Among the tests too, once. The others have a test of their own, or take long. */
  inCi: boolean
  /** A process that stands still answers when it goes on, however late. */
  answersLate?: boolean
  /** How often `--long` plays it. */
  longRounds: number
  /** Resolves when the fault is over, from when on recovery counts. */
  inflict(scene: Scene): Promise<void>
}
