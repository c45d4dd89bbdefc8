import type { RestRoute } from './route.ts'
import { auditRoutes } from './routes/audit.ts'
import { entitlementRoutes } from './routes/entitlements.ts'
import { featureRoutes } from './routes/features.ts'
import { inviteRoutes } from './routes/invites.ts'
import { memberRoutes } from './routes/members.ts'
import { organizationRoutes } from './routes/organization.ts'
import { overrideRoutes } from './routes/overrides.ts'
import { planRoutes } from './routes/plans.ts'
import { serviceAccountRoutes } from './routes/service-accounts.ts'
import { subscriberRoutes } from './routes/subscribers.ts'
import { subscriptionRoutes } from './routes/subscriptions.ts'
import { userRoutes } from './routes/user.ts'
import { webhookRoutes } from './routes/webhook.ts'

/** Every row of the REST table. */
export const restRoutes: readonly RestRoute[] = [
  ...featureRoutes,
  ...planRoutes,
  ...subscriberRoutes,
  ...subscriptionRoutes,
  ...overrideRoutes,
  ...entitlementRoutes,
  ...webhookRoutes,
  ...organizationRoutes,
  ...memberRoutes,
  ...inviteRoutes,
  ...serviceAccountRoutes,
  ...userRoutes,
  ...auditRoutes,
]
