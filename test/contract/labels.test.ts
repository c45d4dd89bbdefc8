import { describe, expect, it } from 'vitest'
import { restRoutes } from '../../rest/routes.ts'
import { labelsByRole } from '../../src/access/roles.ts'

/** The contract's table of roles. Each role also has the labels of the roles above it. */
const addedLabels = {
  evaluator: ['entitlements:read'],
  viewer: [
    'features:read',
    'plans:read',
    'subscribers:read',
    'overrides:read',
    'org:read',
    'members:read',
    'service-accounts:read',
  ],
  support: ['subscribers:write', 'overrides:write'],
  developer: ['features:write', 'plans:write', 'webhooks:read', 'webhooks:write'],
  admin: ['org:write', 'members:write', 'invites:read', 'invites:write', 'service-accounts:write', 'org:audit:read'],
} as const

/** The labels that reads and writes require, by the beginning of the route; the longest matching beginning applies. */
const labelsByRoute: Record<string, [read: string, write: string]> = {
  '/org': ['org:read', 'org:write'],
  '/org/features': ['features:read', 'features:write'],
  '/org/plans': ['plans:read', 'plans:write'],
  '/org/plans/{key}/preview': ['plans:read', 'plans:read'],
  '/org/catalog/preview': ['plans:read', 'plans:read'],
  '/org/subscribers': ['subscribers:read', 'subscribers:write'],
  '/org/subscribers/{subscriber_id}/overrides': ['overrides:read', 'overrides:write'],
  '/org/subscribers/{subscriber_id}/explanation': ['overrides:read', 'overrides:write'],
  '/org/subscribers/{subscriber_id}/history': ['overrides:read', 'overrides:write'],
  '/org/features/{key}/denials': ['overrides:read', 'overrides:write'],
  '/org/subscribers/{subscriber_id}/delivery': ['overrides:read', 'overrides:write'],
  '/org/subscribers/{subscriber_id}/entitlements': ['entitlements:read', 'entitlements:read'],
  '/org/subscribers/{subscriber_id}/tokens': ['entitlements:read', 'entitlements:read'],
  '/org/overrides': ['overrides:read', 'overrides:write'],
  '/org/entitlements': ['entitlements:read', 'entitlements:read'],
  '/org/changes': ['entitlements:read', 'entitlements:read'],
  '/org/followers': ['webhooks:read', 'webhooks:write'],
  '/org/webhook': ['webhooks:read', 'webhooks:write'],
  '/org/members': ['members:read', 'members:write'],
  '/org/group-roles': ['members:read', 'members:write'],
  '/org/invites': ['invites:read', 'invites:write'],
  '/org/service-accounts': ['service-accounts:read', 'service-accounts:write'],
  '/org/audit-events': ['org:audit:read', 'org:audit:read'],
  '/ofrep': ['entitlements:read', 'entitlements:read'],
}
/** Any one of these labels is enough for a search, which finds only objects that the caller may read. */
const searchLabels = ['subscribers:read', 'features:read', 'plans:read', 'members:read']

describe('the labels', () => {
  it('of each role are those of the contract', () => {
    const all: string[] = []

    for (const [role, added] of Object.entries(addedLabels)) {
      all.push(...added)
      expect([...labelsByRole[role as keyof typeof addedLabels]].toSorted(), role).toEqual(all.toSorted())
    }
    expect(Object.keys(labelsByRole)).toHaveLength(Object.keys(addedLabels).length)
  })

  const guarded = restRoutes.flatMap(({ operation }) => ('labels' in operation ? [operation] : []))
  const longest = Object.keys(labelsByRoute).toSorted((a, b) => b.length - a.length)

  it.each(guarded.map((operation) => [operation.method, operation.route, operation.labels] as const))(
    'of %s %s are those of the contract',
    (method, route, labels) => {
      const [read, write] = labelsByRoute[longest.find((each) => route.startsWith(each)) ?? ''] ?? []

      expect(labels).toEqual(route === '/org/search' ? searchLabels : [method === 'GET' ? read : write])
    },
  )
})
