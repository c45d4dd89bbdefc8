import type { Role } from '../database/generated/enums.ts'

/* The labels of each role are defined only here. A route accepts one or more labels; any one is enough. */
const readLabels = ['features:read', 'plans:read', 'subscribers:read', 'overrides:read', 'org:read'] as const
const evalLabels = ['entitlements:read'] as const
const subscriberWriteLabels = ['subscribers:write', 'overrides:write'] as const
const catalogWriteLabels = ['features:write', 'plans:write'] as const
const webhookLabels = ['webhooks:read', 'webhooks:write'] as const
const teamReadLabels = ['members:read', 'service-accounts:read'] as const
const adminLabels = [
  'org:write',
  'members:write',
  'invites:read',
  'invites:write',
  'service-accounts:write',
  'org:audit:read',
] as const

export type Label = (
  | typeof readLabels
  | typeof evalLabels
  | typeof subscriberWriteLabels
  | typeof catalogWriteLabels
  | typeof webhookLabels
  | typeof teamReadLabels
  | typeof adminLabels
)[number]

const viewer = [...readLabels, ...evalLabels, ...teamReadLabels]
const support = [...viewer, ...subscriberWriteLabels]
const developer = [...support, ...catalogWriteLabels, ...webhookLabels]
const admin = [...developer, ...adminLabels]

export const labelsByRole: Readonly<Record<Role, ReadonlySet<Label>>> = {
  admin: new Set(admin),
  developer: new Set(developer),
  support: new Set(support),
  viewer: new Set(viewer),
  evaluator: new Set(evalLabels),
}

export function hasAnyLabel(role: Role, labels: readonly Label[]): boolean {
  return labels.some((label) => labelsByRole[role].has(label))
}
