import { useOrganizationQuery } from '../../../api/queries.ts'
import { toHistoryFilter } from '../../../components/audit/history-of.ts'
import { useMay } from '../../../frame/viewer.ts'
import { AuditEventsDocument } from '../../../generated/audit.ts'
import type { Meanwhile } from './merge.ts'

/** Who changed the plan meanwhile, by the audit log; "Someone" for whoever may not read it. */
export function useWhoChanged({ planKey, since, features }: Meanwhile): string {
  const mayRead = useMay('org:audit:read')
  const { data } = useOrganizationQuery(
    AuditEventsDocument,
    { filter: toHistoryFilter({ type: 'PLAN', id: planKey }), first: 20 },
    { enabled: mayRead },
  )
  const names = new Set<string>()
  for (const { occurredAt, details, actor } of data?.auditEvents.nodes ?? []) {
    const changed = (details as { grants?: object } | null)?.grants ?? {}
    const isIt =
      Date.parse(occurredAt) > Date.parse(since) && features.some((feature) => Object.hasOwn(changed, feature))
    if (isIt && actor.member?.displayName) names.add(actor.member.displayName)
  }
  return names.size === 0 ? 'Someone' : [...names].join(' and ')
}
