import { z } from 'zod'
import { notFound } from '../../core/errors.ts'
import { defineInput, keyPattern, noInput } from '../../core/input.ts'
import type { PrismaClient } from '../../database/generated/client.ts'
import { defineRead } from '../../operation/operation.ts'
import { loadSubscriber } from '../subscribers/subscriber.ts'
import { liveAt, type Override } from './override.ts'

export const listOverrides = defineRead({
  name: 'overrides',
  route: '/org/subscribers/{subscriber_id}/overrides',
  service: 'api',
  labels: ['overrides:read'],
  input: defineInput({ include_expired: z.boolean().default(false).describe('true or false') }, { unknown: 'ignore' }),
  async run({ db, organizationId, path, input, now, selection }): Promise<Override[]> {
    const { id: subscriberId } = await loadSubscriber(db, organizationId, path.subscriber_id)
    return db.override.findMany({
      ...selection,
      where: { organizationId, subscriberId, ...(!input.include_expired && liveAt(now)) },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    })
  },
})

export const readOverride = defineRead({
  name: 'override',
  route: '/org/subscribers/{subscriber_id}/overrides/{feature_key}',
  service: 'api',
  labels: ['overrides:read'],
  input: noInput,
  async run({ db, organizationId, path, selection }): Promise<Override> {
    const { id: subscriberId } = await loadSubscriber(db, organizationId, path.subscriber_id)
    const featureKey = path.feature_key
    const override = keyPattern.test(featureKey)
      ? await db.override.findUnique({
          ...selection,
          where: { organizationId_subscriberId_featureKey: { organizationId, subscriberId, featureKey } },
        })
      : null
    if (!override) throw notFound('override', featureKey)
    return override
  },
})

/** The override for one feature of each of several subscribers, by subscriber id. */
export async function loadOverridesOfFeature(
  db: PrismaClient,
  organizationId: string,
  subscriberIds: readonly string[],
  featureKey: string,
  selection: object,
): Promise<Map<string, Override>> {
  if (!keyPattern.test(featureKey)) return new Map()
  const overrides = await db.override.findMany({
    ...selection,
    where: { organizationId, subscriberId: { in: [...subscriberIds] }, featureKey },
  })
  return new Map(overrides.map((override) => [override.subscriberId, override]))
}
