import { toHistoryFilter } from '../../../components/audit/history-of.ts'
import { AuditEventsDocument } from '../../../generated/audit.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'
import type { Meanwhile } from './merge.ts'

/** Who changed the plan meanwhile, by the audit log; "Someone" for whoever may not read it. */
export function useWhoChanged({ planKey, since, until, features }: Meanwhile): string {
  const mayRead = useMay('org:audit:read')
  const { data } = useOrganizationQuery(
    AuditEventsDocument,
    { filter: { ...toHistoryFilter({ type: 'PLAN', id: planKey }), ...within(since, until) }, first: 20 },
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

/** The times between the two, including the last one: the log's filter excludes its end. */
function within(since: string, until: string): { occurredAfter: string; occurredBefore: string } {
  return { occurredAfter: since, occurredBefore: new Date(Date.parse(until) + 1).toISOString() }
}
