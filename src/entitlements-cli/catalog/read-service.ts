import type { Schemas } from '../../client/api/index.ts'
import type { Catalog, Feature, Grant, OtherFields, Plan } from '../../core/catalog/catalog.ts'
import type { Connection } from '../connection.ts'
import { Problem } from '../problem.ts'
import { type FieldNames, loadFieldNames } from './field-names.ts'

/** When each object last changed, in the format of `expected_updated_at`. */
export type Stamps = { features: ReadonlyMap<string, string>; plans: ReadonlyMap<string, string> }

export type StampedCatalog = { catalog: Catalog; stamps: Stamps }

/** A feature of any kind, as the service returns it. */
type FeatureBody = Pick<Schemas['Feature'], 'kind'> &
  Omit<Schemas['ConfigFeature'], 'kind' | 'value_type'> &
  Partial<Pick<Schemas['ConfigFeature'], 'value_type'>>
type PlanBody = Schemas['Plan']
/** A grant of any kind, as the service returns it. */
type GrantBody = Pick<Schemas['Grant'], 'kind'> &
  Partial<Omit<Schemas['LimitGrant'], 'kind'> & Omit<Schemas['ConfigGrant'], 'kind'>>

/** Reads the service's catalog, with the oldest features and plans first. */
export async function readService(connection: Connection): Promise<StampedCatalog> {
  const [{ features }, { plans }] = await connection.ask((api) =>
    Promise.all([api.listFeatures(), api.listPlans({ include_archived: true })]),
  )
  const catalog = {
    features: new Map((features as FeatureBody[]).toReversed().map((body) => [body.key, toFeature(body)])),
    plans: new Map(plans.toReversed().map((body) => [body.key, toPlan(body)])),
  }
  return {
    catalog: hasOtherFields(catalog) ? withStoredFieldsOnly(catalog, await loadFieldNames(connection)) : catalog,
    stamps: {
      features: new Map(features.map(({ key, updated_at }) => [key, updated_at])),
      plans: new Map(plans.map(({ key, updated_at }) => [key, updated_at])),
    },
  }
}

function toFeature(body: FeatureBody): Feature {
  const { key, name, description, kind, value_type = null, options = null, ...rest } = body
  const { created_at: _, updated_at: __, ...others } = rest
  return { key, name, description, kind, value_type, options, others: withoutUnset(others) }
}

function toPlan({ key, name, kind, archived_at, grants, created_at: _, updated_at: __, ...others }: PlanBody): Plan {
  return {
    key,
    name,
    kind,
    archived: archived_at !== null,
    others: withoutUnset(others),
    grants: new Map(
      Object.entries(grants).map(([feature, grant]) => [feature, toGrant(grant, { plan: key, feature })]),
    ),
  }
}

function toGrant({ kind, limit = null, value, ...others }: GrantBody, at: { plan: string; feature: string }): Grant {
  // The file has one value for a grant, so it cannot contain these fields.
  const [unknown] = Object.keys(withoutUnset(others))
  if (unknown !== undefined) {
    throw new Problem(
      `The plan ${at.plan} grants ${at.feature} with the field "${unknown}", which this version would lose. Install the version of your server: npm install <its address>/packages/cli.tgz`,
      { code: 'OLD_VERSION' },
    )
  }
  if (kind === 'flag') return { kind }
  return kind === 'limit' ? { kind, limit } : { kind, value }
}

/** Drops fields that are null or empty strings, which are the usual defaults. */
function withoutUnset(fields: object): OtherFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => ![null, undefined, ''].includes(value)))
}

function hasOtherFields({ features, plans }: Catalog): boolean {
  return [...features.values(), ...plans.values()].some(({ others }) => Object.keys(others).length > 0)
}

/** Drops fields that only appear in answers, such as a count: they cannot be applied. */
function withStoredFieldsOnly({ features, plans }: Catalog, names: FieldNames): Catalog {
  const keep = <Item extends { others: OtherFields }>(items: ReadonlyMap<string, Item>, stored: readonly string[]) =>
    new Map(
      Array.from(items, ([key, item]) => {
        const kept = Object.entries(item.others).filter(([name]) => stored.includes(name))
        return [key, { ...item, others: Object.fromEntries(kept) }]
      }),
    )
  return { features: keep(features, names.features), plans: keep(plans, names.plans) }
}
