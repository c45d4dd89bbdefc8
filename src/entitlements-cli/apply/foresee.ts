import type { Catalog, Plan } from '../catalog/catalog.ts'
import { type Difference, describeValue, type FeatureChange } from '../catalog/compare.ts'
import type { Connection } from '../connection.ts'

/** A change that the service would refuse, because something still uses what would go. */
export type Refusal = { object: string; code: 'OPTION_IN_USE' | 'CONFLICT'; reason: string }

type Sides = {
  source: { catalog: Catalog }
  target: { catalog: Catalog }
  difference: Difference
  isPruning: boolean
}

/** Finds what the service would refuse before anything is written. Changes nothing. */
export async function foreseeRefusals(
  { source, target, difference, isPruning }: Sides,
  connection: Connection,
): Promise<Refusal[]> {
  // The file says of its own plans that they use none of what goes. Others stay as they are until then.
  const others = [...target.catalog.plans.values()].filter(({ key }) => !source.catalog.plans.has(key))
  const found: (Refusal | null)[] = []
  for (const change of difference.changedFeatures) found.push(await foreseeOptions(connection, change, others))
  for (const { key } of isPruning ? difference.extraFeatures : []) {
    // A plan that grants it goes before it, or keeps it as an archived one.
    const isGranted = others.some(({ grants }) => grants.has(key))
    found.push(isGranted ? null : await foreseeRemoval(connection, key))
  }
  return found.filter((each) => each !== null)
}

async function foreseeOptions(
  { ask }: Connection,
  { before, after }: FeatureChange,
  others: readonly Plan[],
): Promise<Refusal | null> {
  const { key } = before
  const going = (before.options ?? []).filter((option) => !after.options?.includes(option))
  if (going.length === 0) return null
  const refuse = (option: unknown, user: string): Refusal => ({
    object: `feature ${key}`,
    code: 'OPTION_IN_USE',
    reason: `the option ${describeValue(option)} is still in use: ${user}`,
  })
  for (const plan of others) {
    const grant = plan.grants.get(key)
    if (grant?.kind !== 'config' || !going.includes(grant.value as string)) continue
    return refuse(grant.value, `the${plan.archived ? ' archived' : ''} plan ${plan.key} grants it`)
  }
  return ask(async (api) => {
    for await (const override of api.listAllOverrides({ feature: key, live: true, limit: 100 })) {
      const { value } = override as { value?: unknown }
      if (going.includes(value as string)) return refuse(value, `${override.subscriber_id} has an override with it`)
    }
    return null
  })
}

/** Expired overrides count as well. */
async function foreseeRemoval({ ask }: Connection, key: string): Promise<Refusal | null> {
  const { overrides } = await ask((api) => api.listAllOverrides({ feature: key, limit: 1 }))
  const [first] = overrides
  if (!first) return null
  const reason = `it is still in use: ${first.subscriber_id} has an override, which may be expired`
  return { object: `feature ${key}`, code: 'CONFLICT', reason }
}

export function describeRefusal({ object, reason }: Refusal): string {
  return `${object}: ${reason}.`
}
