import { z } from 'zod'
import { findIntendedName } from '../../core/did-you-mean.ts'
import { type FieldError, maxFieldErrors, validationError } from '../../core/errors.ts'
import { asMap, namedObject, note } from '../../core/field-type.ts'
import { cap, key, keyPattern } from '../../core/fields.ts'
import { jsonSchemaOf } from '../../core/input-schema.ts'
import { refuse } from '../../core/issues.ts'
import { isPlainObject, toObject } from '../../core/json.ts'
import type { FeatureKind } from '../../database/generated/enums.ts'
import type { Queries } from '../../database/prisma.ts'
import { insertRows } from '../../database/rows.ts'
import { query, viaPrisma } from '../../database/sql.ts'
import { featureTable, grantTable } from '../../database/table.ts'
import type { Transaction } from '../../database/transaction.ts'
import { setVersionedChange, type VersionedChange } from '../../database/versions.ts'
import { pauseAfterSlices } from '../../fairness/loop-slices.ts'
import { configValue, type Feature, featureKind, featureKinds, findValueFault } from '../features/feature.ts'
import { toStoredValue } from '../features/stored-value.ts'
import type { Grant, Plan, PlanGrant } from './plan.ts'

/** The fields of a grant of each kind, except `kind`. */
const fieldsByKind: Record<FeatureKind, string[]> = { flag: [], limit: ['limit'], config: ['value'] }
/** Examples of grants, for people who send the fields of an override. */
const examples: Record<FeatureKind, string> = {
  flag: '{"kind":"flag"}',
  limit: '{"kind":"limit","limit":5}',
  config: '{"kind":"config","value":"eu-west"}',
}
const anyExample = `${examples.flag}, ${examples.limit} or ${examples.config}`
const schemaByField: Record<string, z.ZodType> = {
  kind: featureKind(),
  limit: cap(),
  value: configValue(),
}

/**
 * All grants by feature key, as a Map, because `__proto__` is a valid key. Errors are at `grants.<feature>` or below, one for
 * each field that is wrong for the `kind`.
 */
export function grantMap() {
  const schema = z
    .unknown()
    .transform((value, context): Map<string, Grant> => {
      if (!isPlainObject(value)) {
        refuse(context, 'must be an object with a grant for each feature key.')
        return z.NEVER
      }
      const grants = Object.entries(value) as [string, Grant][]
      for (const [feature, grant] of grants) {
        checkGrant(feature, grant, context)
        // A refusal shows no more errors than this.
        if (context.issues.length >= maxFieldErrors) return z.NEVER
      }
      return new Map(grants)
    })
    .describe('an object with a grant for each feature key')
    .meta({
      type: 'object',
      propertyNames: { type: 'string', pattern: keyPattern.source },
      additionalProperties: jsonSchemaOf(grantShapes),
    })
  return note(asMap(schema), { wording: { schema: grantList, toOwn: toGrantsByFeature } })
}

/** Only for the JSON Schema. Input is checked field by field, so that refusals name the field. */
const grantShapes = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('flag') }).meta({ id: 'FlagGrantInput' }),
    z.strictObject({ kind: z.literal('limit'), limit: cap() }).meta({ id: 'LimitGrantInput' }),
    z.strictObject({ kind: z.literal('config'), value: configValue() }).meta({ id: 'ConfigGrantInput' }),
  ])
  .meta({ id: 'GrantInput' })

/** The list that GraphQL uses instead of a map. */
const grantList = z.array(
  namedObject(
    'GrantInput',
    z.object({
      feature: key(),
      kind: note(featureKind(), { meaning: "The feature's kind." }),
      limit: note(cap().optional(), { meaning: 'Required for the kind limit.' }),
      value: note(configValue().optional(), { meaning: 'Required for the kind config.' }),
    }),
    'What a plan grants for one feature.',
  ),
)

/** Throws 422 for a repeated feature. */
function toGrantsByFeature(list: unknown): Record<string, object> {
  const grants = new Map<string, object>()
  for (const { feature, ...grant } of list as { feature: string }[]) {
    const path = `grants.${feature}`
    if (grants.has(feature)) throw validationError([{ path, message: `${path} is given twice.` }])
    grants.set(feature, grant)
  }
  return toObject(grants)
}

function checkGrant(feature: string, grant: unknown, context: z.core.$RefinementCtx): void {
  if (isValidGrant(grant)) return
  if (!isPlainObject(grant)) {
    refuse(context, `must be a grant: an object such as ${anyExample}.`, [feature])
    return
  }
  const kind = grant.kind as FeatureKind
  const hasKind = featureKinds.includes(kind)
  const fields = hasKind ? fieldsByKind[kind] : ['kind']
  const intended = findIntendedFields(grant, fields)

  for (const name of fields) {
    // A misspelled required field is reported only once, at the name that was sent.
    if (!Object.hasOwn(grant, name) && [...intended.values()].includes(name)) continue
    checkGrantField(feature, name, grant, context)
  }
  for (const [name, known] of intended) refuse(context, `is unknown: did you mean "${known}"?`, [feature, name])
  if (!hasKind) return
  for (const name of Object.keys(grant)) {
    if (context.issues.length >= maxFieldErrors) break
    if (name === 'kind' || fields.includes(name) || intended.has(name)) continue
    refuse(context, `is not allowed for kind ${kind}: a grant of a ${kind} is ${examples[kind]}.`, [feature, name])
  }
}

/**
 * Whether the grant is valid. Checked first, because a plan may have thousands of grants, and listing the faults takes much
 * longer.
 */
function isValidGrant(grant: unknown): boolean {
  if (!isPlainObject(grant) || !featureKinds.includes(grant.kind as FeatureKind)) return false
  const fields = fieldsByKind[grant.kind as FeatureKind]
  return (
    Object.keys(grant).length === fields.length + 1 &&
    fields.every((name) => Object.hasOwn(grant, name) && schemaByField[name]?.safeParse(grant[name]).success)
  )
}

/** Finds the known field that each unknown name probably stands for. */
function findIntendedFields(grant: Record<string, unknown>, fields: string[]): Map<string, string> {
  const unknown = Object.keys(grant)
    .filter((name) => !Object.hasOwn(schemaByField, name))
    .slice(0, maxFieldErrors)
  const pairs = unknown.map((name): [string, string | null] => [name, findIntendedName(name, fields)])
  return new Map(pairs.filter((pair): pair is [string, string] => pair[1] !== null))
}

function checkGrantField(
  feature: string,
  name: string,
  grant: Record<string, unknown>,
  context: z.core.$RefinementCtx,
): void {
  const schema = schemaByField[name] as z.ZodType
  if (!Object.hasOwn(grant, name)) {
    const allowed = name === 'kind' ? `a grant is ${anyExample}` : schema.description
    refuse(context, `is required: ${allowed}.`, [feature, name])
    return
  }
  const { success, error } = schema.safeParse(grant[name])
  if (success) return
  const ownIssue = error.issues.find((issue) => issue.code === 'custom' && issue.params?.said === true)
  refuse(context, ownIssue?.message ?? `must be ${schema.description}.`, [feature, name])
}

/** Throws 422 at each grant whose feature is unknown, has another kind, or does not accept the value. */
export async function assertGrantsFit(
  tx: Transaction,
  organizationId: string,
  grants: ReadonlyMap<string, Grant>,
): Promise<void> {
  const errors = await findGrantErrors(tx, organizationId, grants)
  if (errors.size > 0) throw validationError([...errors.values()])
}

/** The number of features that a statement reads, in two or three milliseconds. */
const featuresAtOnce = 500

/** Finds what is wrong with the grants, by feature key. */
export async function findGrantErrors(
  db: Queries,
  organizationId: string,
  grants: ReadonlyMap<string, Grant>,
): Promise<Map<string, FieldError>> {
  const pause = pauseAfterSlices(organizationId)
  const all = [...grants]
  const errors = new Map<string, FieldError>()
  for (let from = 0; from < all.length; from += featuresAtOnce) {
    const part = all.slice(from, from + featuresAtOnce)
    const keys = part.map(([key]) => key).filter((key) => keyPattern.test(key))
    const rows = await viaPrisma(db).query(query`
      select ${featureTable.columns} from feature
       where organization_id = ${organizationId} and feature_key = any(${keys}::text[])`)
    const features = new Map(rows.map((feature) => [feature.key, feature]))
    for (const [key, grant] of part) {
      const error = findGrantError(key, grant, features.get(key))
      if (error) errors.set(key, error)
    }
    await pause()
  }
  return errors
}

function findGrantError(key: string, grant: Grant, feature: Feature | undefined): FieldError | null {
  const path = `grants.${key}`
  if (!feature) return { path, message: `${path} names no feature of the catalog. Create the feature first.` }
  if (feature.kind !== grant.kind) {
    return { path: `${path}.kind`, message: `${path}.kind must be ${feature.kind}, the kind of the feature.` }
  }
  const fault = grant.kind === 'config' ? findValueFault(feature, grant.value) : null
  return fault ? { path: `${path}.value`, message: `${path}.value ${fault}.` } : null
}

/** Inserts the grants in plain SQL, because Prisma takes half a second to build a statement for ten thousand rows. */
export async function insertGrants(
  tx: Transaction,
  rows: readonly PlanGrant[],
  change: VersionedChange,
): Promise<void> {
  if (rows.length === 0) return
  await tx.$executeRaw`select ${setVersionedChange(change)}`
  await tx.$executeRaw(insertRows(grantTable, rows))
}

export async function deleteGrants(
  tx: Transaction,
  { organizationId, planKey }: Pick<PlanGrant, 'organizationId' | 'planKey'>,
  featureKeys: readonly string[],
  change: VersionedChange,
): Promise<void> {
  await tx.$executeRaw`select ${setVersionedChange(change)}`
  await tx.$executeRaw`
    delete from plan_grant
     where organization_id = ${organizationId} and plan_key = ${planKey} and feature_key = any(${featureKeys}::text[])`
}

/** Converts grants to rows, sorted by feature key, like the grants of a read. */
export function toGrantRows(
  { organizationId, key }: Pick<Plan, 'organizationId' | 'key'>,
  grants: Iterable<readonly [featureKey: string, grant: Grant]>,
): PlanGrant[] {
  return Array.from(grants, ([featureKey, grant]) => toGrantRow(organizationId, key, featureKey, grant)).sort(
    (one, other) => (one.featureKey < other.featureKey ? -1 : 1),
  )
}

export function toGrantRow(organizationId: string, planKey: string, featureKey: string, grant: Grant): PlanGrant {
  return { organizationId, planKey, featureKey, ...toStoredValue(grant) }
}
