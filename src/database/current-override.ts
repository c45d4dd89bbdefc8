import { type Override, Prisma } from './generated/client.ts'
import { overrideTable } from './table.ts'

/*
 * An override with a start is stored like an expired override, so that processes of an earlier version ignore it: `expires_at`
 * is 1970, and `ends_at` is its expiry. Once it has started, a worker stores it like any other override and notifies receivers.
 * It is already in force before the worker does so, so all code must read stored overrides through these functions.
 */

/** An override as it is at a given time: `startsAt` is set only before the start, and `endsAt` is always null. */
export type CurrentOverride = Override & {
  /** Whether the override has started, but receivers have not been notified yet. */
  isStartDue?: boolean
}

export function currentOverride(stored: Override, now: Date): CurrentOverride {
  const { startsAt, endsAt } = stored
  if (startsAt === null) return stored
  const current = { ...stored, expiresAt: endsAt, endsAt: null, expiryMarked: false }
  return startsAt > now ? current : { ...current, startsAt: null, updatedAt: startsAt, isStartDue: true }
}

/** Returns the row in which the override is stored. */
export function toStoredRow(override: CurrentOverride): Override {
  if (override.startsAt === null) return override
  return { ...override, expiresAt: new Date(0), endsAt: override.expiresAt, expiryMarked: true }
}

/** The assignments of an update that stores started overrides like any others. */
const startAssignments = `
  expires_at = ends_at, ends_at = null, starts_at = null, expiry_marked = false, updated_at = starts_at`

/** Statements to run before a write to overrides whose start is due, so that their versions have the right start. */
export function startOverrides(overrides: readonly CurrentOverride[]): Prisma.Sql[] {
  const [first] = overrides
  if (!first) return []
  const features = Prisma.join(
    overrides.map(({ subscriberId, featureKey }) => Prisma.sql`(${subscriberId}, ${featureKey})`),
  )
  return [
    Prisma.sql`
      update override set ${Prisma.raw(startAssignments)}
       where organization_id = ${first.organizationId} and (subscriber_id, feature_key) in (${features})`,
  ]
}

const nullTime = Prisma.sql`null::timestamptz`

/** The rows of the organization's overrides as they are at this time, for the FROM clause of a statement. */
export function overridesAt(organizationId: string, at: Date | Prisma.Sql): Prisma.Sql {
  const moment = at instanceof Date ? Prisma.sql`${at.toISOString()}::timestamptz` : at
  const scheduled = {
    expiresAt: Prisma.sql`ends_at`,
    expiryMarked: Prisma.sql`false`,
    startsAt: Prisma.sql`case when starts_at > ${moment} then starts_at end`,
    endsAt: nullTime,
    updatedAt: Prisma.sql`case when starts_at > ${moment} then updated_at else starts_at end`,
  }
  return Prisma.sql`(
    select ${columnsWith({ startsAt: nullTime, endsAt: nullTime })} from override where organization_id = ${organizationId} and starts_at is null
     union all
    select ${columnsWith(scheduled)} from override where organization_id = ${organizationId} and starts_at is not null)`
}

function columnsWith(values: { [Field in keyof Override]?: Prisma.Sql }): Prisma.Sql {
  const columns = overrideTable.each.map(({ field, name }) => {
    const value = values[field]
    return value ? Prisma.sql`${value} as ${Prisma.raw(name)}` : Prisma.raw(name)
  })
  return Prisma.join(columns)
}

/** Selects live overrides that are still stored with their start: few, because a worker updates them within a second. */
export function startedOverrides(organizationId: string, now: Date): Prisma.Sql {
  const moment = Prisma.sql`${now.toISOString()}::timestamptz`
  return Prisma.sql`
    select * from override
     where organization_id = ${organizationId} and starts_at <= ${moment} and coalesce(ends_at, 'infinity'::timestamptz) > ${moment}`
}

/** The SQL condition that an override is live at this time, for rows of `overridesAt` with the same time. */
export function isLiveAt(now: Date, alias = ''): Prisma.Sql {
  const [start, end] = ['starts_at', 'expires_at'].map((name) => Prisma.raw(`${alias}${name}`))
  return Prisma.sql`(${start} is null and coalesce(${end}, 'infinity'::timestamptz) > ${now.toISOString()}::timestamptz)`
}
