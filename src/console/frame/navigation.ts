import {
  AuditIcon,
  FeaturesIcon,
  OverviewIcon,
  PlansIcon,
  SubscribersIcon,
  TeamIcon,
  WebhookIcon,
} from '../components/icons/navigation.tsx'
import type { Label } from '../session/viewer.ts'

/** The rail's entries, from top to bottom. Each is shown to the roles that have its label. */
export const navigation = [
  { name: 'Overview', to: '/o/$organizationId', Icon: OverviewIcon, label: 'org:read' },
  { name: 'Features', to: '/o/$organizationId/features', Icon: FeaturesIcon, label: 'features:read' },
  { name: 'Plans', to: '/o/$organizationId/plans', Icon: PlansIcon, label: 'plans:read' },
  { name: 'Subscribers', to: '/o/$organizationId/subscribers', Icon: SubscribersIcon, label: 'subscribers:read' },
  { name: 'Webhook', to: '/o/$organizationId/webhook', Icon: WebhookIcon, label: 'webhooks:read' },
  { name: 'Audit log', to: '/o/$organizationId/audit-log', Icon: AuditIcon, label: 'org:audit:read' },
  { name: 'Team', to: '/o/$organizationId/team', Icon: TeamIcon, label: 'members:read' },
] as const satisfies readonly { name: string; to: string; Icon: unknown; label: Label }[]
