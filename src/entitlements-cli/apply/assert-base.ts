import { existsSync } from 'node:fs'
import type { Catalog } from '../../core/catalog/catalog.ts'
import {
  compareExactly,
  type Difference,
  hasDifferences,
  pickObjects,
  withoutRetiredPlans,
} from '../../core/catalog/compare.ts'
import { type Base, baseOf, readBase } from '../catalog/base.ts'
import { describeDifference, toJsonChanges } from '../catalog/describe.ts'
import { readCatalogFile } from '../catalog/file.ts'
import type { LoadedService, LoadedSide } from '../catalog/side.ts'
import { exitCodes, Problem } from '../problem.ts'

export type Sides = { source: LoadedSide; target: LoadedService; difference: Difference; isPruning: boolean }

/**
 * Throws a Problem with exit code 3 if somebody changed the service's catalog since the state that the source was made from:
 * the state in the file `basePath`, or the one in the source's header. Resolves to whether there is such a state.
 */
export async function assertBase(sides: Sides, basePath: string | undefined): Promise<boolean> {
  const { source, target } = sides
  if (basePath !== undefined) {
    if (!existsSync(basePath)) throw new Problem(`There is no file ${basePath}.`, { code: 'NO_FILE' })
    const { catalog } = await readCatalogFile(basePath, target.connection)
    const changed = changesSinceFile(sides, catalog)
    if (hasDifferences(changed)) throw toChangedProblem(target, basePath, changed)
    return true
  }
  const base = baseOfSource(sides)
  if (base === null) return false
  if (base.hash !== baseOfTarget(target).hash) {
    throw toChangedProblem(target, `${source.name} was pulled or applied`, changesSinceTime(sides, base))
  }
  return true
}

/** Whether the source's header names another state of the catalog than the service's current one. */
export function isSourceOutdated(sides: Pick<Sides, 'source' | 'target'>): boolean {
  const base = baseOfSource(sides)
  return base !== null && base.hash !== baseOfTarget(sides.target).hash
}

/** The state of the target's catalog that the source was made from, if its header names one. */
function baseOfSource({ source, target }: Pick<Sides, 'source' | 'target'>): Base | null {
  return source.type === 'file' ? readBase(source.file.text, target.organization.organization_id) : null
}

function baseOfTarget(target: LoadedService): Base {
  return baseOf(target, target.organization.organization_id)
}

/** The objects that changed in the service since the base, and that applying the source would change again. */
function changesSinceFile({ target, difference, isPruning }: Sides, base: Catalog): Difference {
  const changed = compareExactly(withoutRetiredPlans(target.catalog, base), base)
  const { newFeatures, changedFeatures, extraFeatures, newPlans, changedPlans, extraPlans } = difference
  const features = [...newFeatures, ...changedFeatures.map(({ after }) => after), ...(isPruning ? extraFeatures : [])]
  const plans = [...newPlans, ...changedPlans.map(({ after }) => after), ...(isPruning ? extraPlans : [])]
  return pickObjects(changed, {
    features: new Set(features.map(({ key }) => key)),
    plans: new Set(plans.map(({ key }) => key)),
  })
}

/**
 * Returns the differences from the source in objects that changed since the base. If there are none, an object was removed, and
 * all differences are returned.
 */
function changesSinceTime({ source, target }: Sides, { changedAt }: Base): Difference {
  const changed = compareExactly(withoutRetiredPlans(target.catalog, source.catalog), source.catalog)
  const since = (stamps: ReadonlyMap<string, string>) => {
    return new Set([...stamps].filter(([, at]) => changedAt === '-' || at > changedAt).map(([key]) => key))
  }
  const named = pickObjects(changed, { features: since(target.stamps.features), plans: since(target.stamps.plans) })
  return hasDifferences(named) ? named : changed
}

function toChangedProblem({ name }: LoadedService, since: string, changed: Difference): Problem {
  return new Problem(
    [
      `Somebody changed the catalog of ${name} since ${since}. Nothing was applied. What changed:`,
      ...describeDifference(changed, { reach: null, isFile: true }),
      'Bring it into the file ("entitlements pull" writes it there, over your own changes), or undo it with --overwrite.',
    ],
    {
      exitCode: exitCodes.changedMeanwhile,
      code: 'CHANGED_MEANWHILE',
      details: { changes: toJsonChanges(changed, null) },
    },
  )
}
