import type { RestRoute } from './route.ts'
import { auditRoutes } from './routes/audit.ts'
import { entitlementRoutes } from './routes/entitlements.ts'
import { featureRoutes } from './routes/features.ts'
import { inviteRoutes } from './routes/invites.ts'
import { memberRoutes } from './routes/members.ts'
import { organizationRoutes } from './routes/organization.ts'
import { overrideRoutes } from './routes/overrides.ts'
import { planRoutes } from './routes/plans.ts'
import { serviceRoutes } from './routes/service.ts'
import { serviceAccountRoutes } from './routes/service-accounts.ts'
import { subscriberRoutes } from './routes/subscribers.ts'
import { subscriptionRoutes } from './routes/subscriptions.ts'
import { userRoutes } from './routes/user.ts'
import { webhookRoutes } from './routes/webhook.ts'

type Noun = { noun: string; about: string; routes: readonly RestRoute[] }

/** The REST table by noun. */
export const restNouns: readonly Noun[] = [
  { noun: 'Features', about: "What the vendor's product can grant.", routes: featureRoutes },
  { noun: 'Plans', about: 'Sets of grants that subscribers subscribe to.', routes: planRoutes },
  { noun: 'Subscribers', about: "The vendor's customers.", routes: subscriberRoutes },
  { noun: 'Subscriptions', about: 'Which plan a subscriber has, and had.', routes: subscriptionRoutes },
  { noun: 'Overrides', about: 'What one subscriber has instead of what the plan grants.', routes: overrideRoutes },
  { noun: 'Entitlements', about: 'What a subscriber may. Each answer is an eval.', routes: entitlementRoutes },
  { noun: 'Webhook', about: 'Where events go that make cached answers stale.', routes: webhookRoutes },
  { noun: 'Organization', about: 'The vendor.', routes: organizationRoutes },
  { noun: 'Members', about: 'Who acts in the organization.', routes: memberRoutes },
  { noun: 'Invites', about: 'Links that let people join.', routes: inviteRoutes },
  {
    noun: 'Service accounts',
    about: 'Programs that act in the organization, and their keys.',
    routes: serviceAccountRoutes,
  },
  { noun: 'User', about: 'What a person does for themselves.', routes: userRoutes },
  { noun: 'Audit log', about: 'Who did what.', routes: auditRoutes },
  { noun: 'Service', about: 'What anyone may know.', routes: serviceRoutes },
]

/** Every row of the REST table. */
export const restRoutes: readonly RestRoute[] = restNouns.flatMap(({ routes }) => routes)
