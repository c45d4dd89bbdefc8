const words: Record<string, string> = {
  'entitlements:read': 'Check what a subscriber may use. Each check is an eval.',
  'features:read': 'See the features.',
  'features:write': 'Add, change and delete features.',
  'plans:read': 'See the plans, what they grant and how many hold them.',
  'plans:write': 'Add, change, archive and delete plans.',
  'subscribers:read': 'See the subscribers and their subscriptions.',
  'subscribers:write': 'Add, rename and delete subscribers, and change or cancel their plans.',
  'overrides:read': 'See the overrides, and why a subscriber has what they have.',
  'overrides:write': 'Set, change and remove overrides.',
  'webhooks:read': 'See the webhook and what was delivered.',
  'webhooks:write': 'Set up, test and pause the webhook, and send events again.',
  'org:read': 'See the organization, its counts and its roles.',
  'org:write': 'Rename the organization.',
  'org:audit:read': 'Read the audit log.',
  'members:read': 'See the members.',
  'members:write': 'Change the roles of members, and disable or remove them.',
  'service-accounts:read': 'See the service accounts and the first characters of their keys.',
  'service-accounts:write': 'Add and delete service accounts and their keys.',
  'invites:read': 'See the invites with their links.',
  'invites:write': 'Invite people, and revoke invites.',
}

/** What a label allows, as a sentence; the label itself where a later server has one that is not known here. */
export function describeLabel(label: string): string {
  return words[label] ?? label
}
