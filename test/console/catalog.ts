import type { Caller, TestService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const longName = `${'Enterprise reporting with scheduled exports '.repeat(6).slice(0, 254)}🚀`
export const longId = `customer-${'0123456789'.repeat(24)}`.slice(0, 255)

/** Creates features of every kind, plans, subscribers and overrides; one name has 255 characters, another is a single emoji. */
export async function fillCatalog(caller: Caller): Promise<void> {
  const { feature, plan, subscriber, subscribe, override } = vendor(caller)
  await feature('sso', { kind: 'flag', name: 'Single sign-on' })
  await feature('export', { kind: 'flag', name: longName })
  await feature('seats', { kind: 'limit', name: 'Seats', description: 'People who may sign in.' })
  await feature('x', { kind: 'limit', name: '🚀' })
  await feature('region', { kind: 'config', value_type: 'enum', options: ['eu-west', 'us-east'], name: 'Data region' })
  await feature('theme', { kind: 'config', value_type: 'json', name: 'Theme' })
  await plan('free', { seats: { kind: 'limit', limit: 3 } })
  await plan('pro', {
    sso: { kind: 'flag' },
    seats: { kind: 'limit', limit: 1000 },
    region: { kind: 'config', value: 'eu-west' },
    theme: { kind: 'config', value: { accent: 'blue', dense: true } },
  })
  await plan('enterprise', { sso: { kind: 'flag' }, export: { kind: 'flag' }, seats: { kind: 'limit', limit: null } })
  for (const id of ['acme', 'globex', longId]) await subscriber(id)
  await subscribe('acme', 'pro')
  await override('acme', 'export', { kind: 'flag', allowed: true, expires_at: '2199-01-01T00:00:00Z' })
  await override('acme', 'seats', { kind: 'limit', limit: null })
  await override('acme', 'region', { kind: 'config', value: 'us-east' })
}

/** Creates flags in the database, because a request for each would take long. */
export async function createFlags(
  { database: { prisma } }: TestService,
  { organizationId }: Caller,
  keys: readonly string[],
  toName = (key: string) => key,
): Promise<void> {
  const now = new Date()
  const common = { organizationId, description: '', kind: 'flag' as const, createdAt: now, updatedAt: now }
  await prisma.feature.createMany({ data: keys.map((key) => ({ ...common, key, name: toName(key) })) })
}

/**
 * Creates this many features, and plans that grant two thirds of them. Writes to the database, because a request for each would
 * take long.
 */
export async function fillLargeCatalog(
  { database: { prisma } }: TestService,
  { organizationId }: Caller,
  size: { features: number; plans: number },
): Promise<void> {
  const now = new Date()
  const stamps = { organizationId, createdAt: now, updatedAt: now }
  const kinds = ['flag', 'limit'] as const
  const features = Array.from({ length: size.features }, (_, index) => ({
    key: `feature-${index}`,
    kind: kinds[index % 2] ?? 'flag',
  }))
  const plans = Array.from({ length: size.plans }, (_, index) => `plan-${index}`)
  await prisma.feature.createMany({
    data: features.map(({ key, kind }) => ({ ...stamps, key, name: `The ${key}`, description: '', kind })),
  })
  await prisma.plan.createMany({ data: plans.map((key) => ({ ...stamps, key, name: key, kind: 'standard' })) })
  await prisma.planGrant.createMany({
    data: plans.flatMap((planKey, at) =>
      features
        .filter((_, index) => (index + at) % 3 > 0)
        .map(({ key, kind }) => ({
          organizationId,
          planKey,
          featureKey: key,
          kind,
          ...(kind === 'limit' && { limit: 10n }),
        })),
    ),
  })
}
