import type { z } from 'zod'
import { hasAnyLabel, type Label } from '../../access/roles.ts'
import { defineAnswer, fieldFrom } from '../../core/answer.ts'
import { type Count, countAnswer, maxCounted, toCount } from '../../core/count.ts'
import { defineInput } from '../../core/input.ts'
import { isLiveAt, overridesAt } from '../../database/current-override.ts'
import { Prisma } from '../../database/generated/client.ts'
import type { Role } from '../../database/generated/enums.ts'
import { defineRead } from '../../operation/operation.ts'

export const countedNames = [
  'features',
  'plans',
  'subscribers',
  'live_overrides',
  'members',
  'service_accounts',
  'pending_invites',
] as const
type CountedName = (typeof countedNames)[number]

/** Null for objects that the caller may not read. */
export type Counts = Record<CountedName, Count | null>

const labelOf: Record<CountedName, Label> = {
  features: 'features:read',
  plans: 'plans:read',
  subscribers: 'subscribers:read',
  live_overrides: 'overrides:read',
  members: 'members:read',
  service_accounts: 'service-accounts:read',
  pending_invites: 'invites:read',
}

/** SQL: the rows to count. An override or invite counts until it expires. */
function selectsOf(organizationId: string, now: Date): Record<CountedName, Prisma.Sql> {
  const at = Prisma.sql`${now.toISOString()}::timestamptz`
  return {
    features: Prisma.sql`select from feature where organization_id = ${organizationId}`,
    plans: Prisma.sql`select from plan where organization_id = ${organizationId}`,
    subscribers: Prisma.sql`select from subscriber where organization_id = ${organizationId}`,
    live_overrides: Prisma.sql`
      select from ${overridesAt(organizationId, now)} as override where ${isLiveAt(now)}`,
    members: Prisma.sql`select from member where organization_id = ${organizationId}`,
    service_accounts: Prisma.sql`select from service_account where organization_id = ${organizationId}`,
    pending_invites: Prisma.sql`select from invite where organization_id = ${organizationId} and expires_at > ${at}`,
  }
}

function countField(name: CountedName) {
  const schema: z.ZodType = countAnswer.schema.nullable().describe('Null if your role may not read these objects.')
  return fieldFrom((counts: Counts) => counts[name] && countAnswer.toBody(counts[name]), schema)
}

export const countsAnswer = defineAnswer<Counts>(
  'Counts',
  'How many objects of each type an organization has.',
  Object.fromEntries(countedNames.map((name) => [name, countField(name)])),
)

export const readCounts = defineRead({
  name: 'counts',
  summary: "Count the organization's objects of each type, each up to 10,000.",
  route: '/org/counts',
  service: 'identity',
  labels: ['org:read'],
  input: defineInput({}, { unknown: 'reject', term: 'query parameter' }),
  answer: countsAnswer,
  async run({ db, organizationId, role, now }): Promise<Counts> {
    const selects = selectsOf(organizationId, now)
    const columns = countedNames.map((name) => countColumn(name, mayCount(name, role) ? selects[name] : null))
    const [row] = await db.$queryRaw<Record<CountedName, number | null>[]>`select ${Prisma.join(columns)}`
    const entries = Object.entries(row ?? {}).map(([name, rows]) => [name, rows === null ? null : toCount(rows)])
    return Object.fromEntries(entries)
  },
})

function mayCount(name: CountedName, role: Role): boolean {
  return hasAnyLabel(role, [labelOf[name]])
}

function countColumn(name: CountedName, rows: Prisma.Sql | null): Prisma.Sql {
  const alias = Prisma.raw(name)
  if (!rows) return Prisma.sql`null::int as ${alias}`
  return Prisma.sql`(select count(*)::int from (${rows} limit ${maxCounted + 1}) counted) as ${alias}`
}
