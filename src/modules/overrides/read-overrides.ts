import { z } from 'zod'
import { requireFound } from '../../core/errors.ts'
import { note } from '../../core/field-type.ts'
import { keyPattern } from '../../core/fields.ts'
import { defineInput, noInput } from '../../core/input.ts'
import { currentOverride, isLiveAt, overridesAt } from '../../database/current-override.ts'
import { Prisma } from '../../database/generated/client.ts'
import { loadWithinByteLimit } from '../../database/load-within-byte-limit.ts'
import { query } from '../../database/sql.ts'
import { overrideTable } from '../../database/table.ts'
import { defineRead, type ReadScope } from '../../operation/operation.ts'
import { loadSubscriber } from '../subscribers/subscriber.ts'
import { type Override, overrideAnswer, overridesAnswer } from './override.ts'

export const listOverrides = defineRead({
  name: 'overrides',
  summary:
    'List the live overrides of a subscriber, newest first; on request, also overrides that have expired or not started.',
  route: '/org/subscribers/{subscriber_id}/overrides',
  service: 'api',
  labels: ['overrides:read'],
  input: defineInput(
    {
      include_expired: note(z.boolean().default(false).describe('true or false'), {
        meaning: 'Whether overrides that have expired or not started are listed too.',
      }),
    },
    { unknown: 'ignore' },
  ),
  answer: overridesAnswer,
  async run({ db, readRows, organizationId, path, input, now }): Promise<Override[]> {
    const { id: subscriberId } = await loadSubscriber(db, organizationId, path.subscriber_id)
    return readRows(query`
      select ${overrideTable.columns} from ${overridesAt(organizationId, now)} as override
       where subscriber_id = ${subscriberId} and ${input.include_expired ? Prisma.sql`true` : isLiveAt(now)}
       order by created_at desc, override_id desc`)
  },
})

export const readOverride = defineRead({
  name: 'override',
  summary: 'Read the override of a subscriber for one feature, live or not.',
  route: '/org/subscribers/{subscriber_id}/overrides/{feature_key}',
  service: 'api',
  labels: ['overrides:read'],
  input: noInput,
  answer: overrideAnswer,
  async run({ db, organizationId, path, now }): Promise<Override> {
    const { id: subscriberId } = await loadSubscriber(db, organizationId, path.subscriber_id)
    const featureKey = path.feature_key
    const where = { organizationId_subscriberId_featureKey: { organizationId, subscriberId, featureKey } }
    const stored = keyPattern.test(featureKey) && (await db.override.findUnique({ where }))
    return currentOverride(requireFound('override', featureKey, stored), now)
  },
})

/** Loads the overrides of several subscribers, by subscriber id; each list newest first. */
export async function loadOverrides(
  scope: ReadScope,
  subscriberIds: readonly string[],
  { includeExpired }: { includeExpired: boolean },
): Promise<Map<string, Override[]>> {
  const condition = includeExpired ? Prisma.sql`true` : isLiveAt(scope.now)
  return Map.groupBy(await loadOverridesWhere(scope, subscriberIds, condition), ({ subscriberId }) => subscriberId)
}

/** Loads the overrides of several subscribers for one feature, live or not, by subscriber id. */
export async function loadOverridesOfFeature(
  scope: ReadScope,
  subscriberIds: readonly string[],
  featureKey: string,
): Promise<Map<string, Override>> {
  if (!keyPattern.test(featureKey)) return new Map()
  const found = await loadOverridesWhere(scope, subscriberIds, Prisma.sql`feature_key = ${featureKey}`)
  return new Map(found.map((override) => [override.subscriberId, override]))
}

function loadOverridesWhere(
  { readRows, organizationId, loadBudget, now }: ReadScope,
  subscriberIds: readonly string[],
  condition: Prisma.Sql,
): Promise<Override[]> {
  const requested = query`
    select ${overrideTable.columns} from ${overridesAt(organizationId, now)} as override
     where subscriber_id = any(${subscriberIds}::text[]) and ${condition}`
  return loadWithinByteLimit(readRows, { requested, orderBy: Prisma.sql`"createdAt" desc, id desc` }, loadBudget)
}
