import { toHistoryFilter, toSubscriberFilter } from '../../components/audit/history-of.ts'
import type { Change } from '../../components/history/changes.ts'
import { readHistory } from '../../components/history/read-history.ts'
import type { AuditEventFilter } from '../../generated/audit.ts'
import { AuditExportDocument } from '../../generated/audit-log.ts'
import { readPages } from '../../session/read-pages.ts'
import type { LoggedEntry } from './subscriber-record.ts'
import type { toPeriod } from './to-filter.ts'

type Options = { organizationId: string; signal: AbortSignal }

/**
 * Reads the requests of the period about the subscriber and its plans, and the changes that affected the subscriber since the
 * period began.
 */
export async function readRecord(subscriberId: string, period: ReturnType<typeof toPeriod>, options: Options) {
  const { occurredAfter } = period
  const since = occurredAfter === undefined ? null : new Date(occurredAfter)
  const history = await readHistory(subscriberId, { ...options, since })
  const entries = await readEntries({ ...toSubscriberFilter(subscriberId), ...period }, options)
  const ofPlans = history.changes.filter(({ cause }) => cause === 'PLAN')
  for (const plan of new Set(ofPlans.map((change) => change.plan))) {
    if (plan === null) continue
    const ofPlan = await readEntries(
      { ...toHistoryFilter({ type: 'PLAN', id: plan }), changed: true, ...period },
      options,
    )
    const changes = ofPlans.filter((change) => change.plan === plan)
    // The entries are newest first, so this finds the last request before the change.
    entries.push(...new Set(changes.flatMap((change) => ofPlan.find((entry) => isCause(entry, change)) ?? [])))
  }
  return { entries, history }
}

async function readEntries(filter: AuditEventFilter, options: Options): Promise<LoggedEntry[]> {
  const entries: LoggedEntry[] = []
  const pages = readPages(
    { document: AuditExportDocument, variables: { filter }, find: ({ auditEvents }) => auditEvents },
    options,
  )
  for await (const nodes of pages) entries.push(...nodes)
  return entries
}

/** The longest time between a request and the commit of its write. A change has the time of its commit. */
const maxCommitDelayMs = 60_000

/**
 * Whether the request made the change: it came from the same member, changed the same feature, and was at most a minute
 * earlier.
 */
function isCause({ occurredAt, actor, details }: LoggedEntry, { at, by, feature }: Change): boolean {
  const commitDelayMs = Date.parse(at) - Date.parse(occurredAt)
  const { grants } = (details ?? {}) as { grants?: Record<string, unknown> }
  return (
    feature !== null &&
    grants?.[feature] !== undefined &&
    commitDelayMs >= 0 &&
    commitDelayMs < maxCommitDelayMs &&
    actor.memberId === by?.memberId
  )
}
