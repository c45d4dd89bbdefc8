import { ConflictError, NotFoundError } from '../../client/api/index.ts'
import type { Catalog } from '../../core/catalog/catalog.ts'
import { compareExactly, hasDifferences } from '../../core/catalog/compare.ts'
import type { Step } from '../../core/catalog/steps.ts'
import { describeDifference } from '../catalog/describe.ts'
import { readService, type StampedCatalog, type Stamps } from '../catalog/read-service.ts'
import type { Connection } from '../connection.ts'
import { explain } from '../explain.ts'
import { Problem } from '../problem.ts'
import { ChangedMeanwhile } from './changed-meanwhile.ts'
import type { Progress } from './progress.ts'
import { runStep } from './run-step.ts'

/** A completed step, with a description if its effect is not obvious. */
export type StepResult = { object: string; action: string; result: string | null }

type Settings = {
  connection: Connection
  /** The target's state when the difference was shown. */
  shown: { catalog: Catalog; stamps: Stamps }
  onDone(done: StepResult): void
}

/** Runs the steps one after the other. Stops at the first failure; the Problem lists the completed steps. */
export async function runSteps(steps: readonly Step[], { connection, shown, onDone }: Settings): Promise<StepResult[]> {
  const progress: Progress = { connection, stamps: toStampsByObject(shown.stamps) }
  const done: StepResult[] = []
  for (const step of steps) {
    try {
      const result = await runStep(step, progress)
      done.push({ object: step.object, action: step.action, result })
      onDone(done.at(-1) as StepResult)
    } catch (error) {
      throw await explainFailedStep(error, { step, done, total: steps.length, connection, before: shown.catalog })
    }
  }
  return done
}

/** Throws a Problem if somebody changed one of these objects after the difference was shown. */
export async function assertUnchangedSinceShown(
  steps: readonly Step[],
  { connection, shown }: Omit<Settings, 'onDone'>,
): Promise<void> {
  const now = await readService(connection)
  const [before, after] = [toStampsByObject(shown.stamps), toStampsByObject(now.stamps)]
  const touched = steps.find(({ object }) => before.get(object) !== after.get(object))
  if (!touched) return
  const happened = describeConcurrentChange(
    'was changed by somebody else. Nothing was applied.',
    shown.catalog,
    now.catalog,
  )
  throw new ChangedMeanwhile(touched.object, happened)
}

/** The catalog after these steps; null if somebody changed another object meanwhile. */
export async function readStateAfter(
  done: readonly Pick<StepResult, 'object'>[],
  { connection, shown }: Omit<Settings, 'onDone'>,
): Promise<StampedCatalog | null> {
  const now = await readService(connection)
  const [before, after] = [toStampsByObject(shown.stamps), toStampsByObject(now.stamps)]
  const own = new Set(done.map(({ object }) => object))
  const others = [...before.keys(), ...after.keys()].filter((object) => !own.has(object))
  return others.every((object) => before.get(object) === after.get(object)) ? now : null
}

function toStampsByObject({ features, plans }: Stamps): Map<string, string> {
  return new Map([
    ...Array.from(features, ([key, stamp]) => [`feature ${key}`, stamp] as const),
    ...Array.from(plans, ([key, stamp]) => [`plan ${key}`, stamp] as const),
  ])
}

type FailedStep = { step: Step; done: readonly StepResult[]; total: number; connection: Connection; before: Catalog }

async function explainFailedStep(
  error: unknown,
  { step, done, total, connection, before }: FailedStep,
): Promise<unknown> {
  const count = `${done.length} of ${total} changes were applied.`
  const details = { applied: done, stopped_at: { object: step.object, action: step.action } }
  const happened = findConcurrentChange(error, step)
  if (happened === null) {
    const { message, code } = explain(error)
    const explanation = `${step.action} ${step.object}: ${message} ${count} Correct it, and apply again.`
    return new Problem(explanation, { code, details, cause: error })
  }
  const now = await readService(connection)
  const applied = done.length > 0 ? ' (including the changes that this apply made)' : ''
  const explanation = describeConcurrentChange(`${happened} ${count}`, before, now.catalog, applied)
  const problem = new ChangedMeanwhile(step.object, explanation, error)
  return Object.assign(problem, { details })
}

/** Describes another person's change, if the service refused the step because of it. */
function findConcurrentChange(error: unknown, { action }: Step): string | null {
  if (error instanceof ChangedMeanwhile) return 'was changed by somebody else.'
  if (error instanceof NotFoundError) return 'was removed by somebody else.'
  if (!(error instanceof ConflictError)) return null
  if (error.details.field === 'updated_at') return 'was changed by somebody else.'
  return action === 'create' && error.details.field === 'key' ? 'was created by somebody else.' : null
}

/** Returns the lines of a message. The first line begins with `happened`. */
function describeConcurrentChange(happened: string, before: Catalog, now: Catalog, applied = ''): string[] {
  const difference = compareExactly(now, before)
  const next = 'Run "entitlements diff" again, or "entitlements pull" to bring the change into the file.'
  if (!hasDifferences(difference)) return [`${happened} ${next}`]
  const changed = describeDifference(difference, { reach: null, isFile: true })
  return [`${happened} What changed since${applied}:`, ...changed, next]
}
