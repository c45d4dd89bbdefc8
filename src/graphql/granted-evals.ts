import type { Gate } from '../gate/gate.ts'
import type { ResolvedEntitlements } from '../gate/resolution/resolved-entitlements.ts'
import type { AnyOperation } from '../operation/operation.ts'

type GrantedEval = { entitlements: ResolvedEntitlements }

/** The evals that were counted for a request, and whose answers are not sent yet. */
export class GrantedEvals {
  readonly #gate: Pick<Gate, 'takeBack'>
  readonly #granted: ResolvedEntitlements[] = []

  constructor(gate: Pick<Gate, 'takeBack'>) {
    this.#gate = gate
  }

  /** Adds the evals of an operation, if it is one or many. */
  add({ kind }: AnyOperation, result: unknown): void {
    if (kind === 'eval') this.#granted.push((result as GrantedEval).entitlements)
    if (kind === 'bulk_eval')
      this.#granted.push(...(result as { snapshots: GrantedEval[] }).snapshots.map(({ entitlements }) => entitlements))
  }

  /** Undoes their counts, because the answer is refused. */
  takeBack(): void {
    for (const entitlements of this.#granted.splice(0)) this.#gate.takeBack(entitlements)
  }

  /** Releases their memory, once all fields are resolved. */
  release(): void {
    for (const entitlements of this.#granted) entitlements.drop()
  }
}
