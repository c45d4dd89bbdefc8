import type { FC } from 'react'
import type { IconProps } from '../../components/icons/icon.tsx'
import {
  AuditIcon,
  FeaturesIcon,
  PlansIcon,
  SubscribersIcon,
  TeamIcon,
  WebhookIcon,
} from '../../components/icons/navigation.tsx'
import type { RowTarget } from '../../components/table/data-table.tsx'
import type { SearchHitType } from '../../generated/search.ts'

/** One line in the search's list: an object, a page or an action, with a link or the function to run. */
export type Entry = {
  id: string
  name: string
  /** Other words that also find the entry. */
  words?: string
  /** The object's id or key; null if it is shown as the name already, or if people do not know it. */
  code?: string | null
  /** More about the object, such as a subscriber's plan or a member's e-mail. */
  context?: string | null
  /** The type of the entry, as it is shown at the end of the line. */
  kind: string
  Icon: FC<IconProps>
} & ({ target: RowTarget & { hash?: string } } | { href: string } | { run(): void })

export type Group = { title: string; entries: readonly Entry[] }

export type Hit = { type: SearchHitType; id: string; name: string | null; context: string | null }

type Kind = { kind: string; Icon: Entry['Icon']; to: string; param: string }

const kinds: Record<Exclude<SearchHitType, 'AUDIT_EVENT'>, Kind> = {
  SUBSCRIBER: { kind: 'subscriber', Icon: SubscribersIcon, to: 'subscribers/$subscriberId', param: 'subscriberId' },
  FEATURE: { kind: 'feature', Icon: FeaturesIcon, to: 'features/$featureKey', param: 'featureKey' },
  PLAN: { kind: 'plan', Icon: PlansIcon, to: 'plans/$planKey', param: 'planKey' },
  MEMBER: { kind: 'member', Icon: TeamIcon, to: 'team/members/$memberId', param: 'memberId' },
  SERVICE_ACCOUNT: {
    kind: 'service account',
    Icon: WebhookIcon,
    to: 'team/service-accounts/$serviceAccountId',
    param: 'serviceAccountId',
  },
}

/** Shown without ids, since people do not know these objects by id. */
const typesWithoutId: readonly SearchHitType[] = ['MEMBER', 'SERVICE_ACCOUNT']

export function toEntry({ type, id, name, context }: Hit, organizationId: string): Entry {
  if (type === 'AUDIT_EVENT') return toAuditEntry({ id, name, context }, organizationId)
  const { kind, Icon, to, param } = kinds[type]
  return {
    id: `${type} ${id}`,
    name: name || id,
    code: name && name !== id && !typesWithoutId.includes(type) ? id : null,
    context,
    kind,
    Icon,
    target: { to: `/o/$organizationId/${to}`, params: { organizationId, [param]: id } },
  }
}

function toAuditEntry({ id, name, context }: Omit<Hit, 'type'>, organizationId: string): Entry {
  return {
    id: `AUDIT_EVENT ${id}`,
    name: name ?? id,
    context,
    kind: 'audit entry',
    Icon: AuditIcon,
    target: { to: '/o/$organizationId/audit-log', params: { organizationId }, search: { all: true, entry: id } },
  }
}
