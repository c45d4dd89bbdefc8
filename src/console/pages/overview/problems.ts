import type { Answer } from '../../api/typed-document.ts'
import { addDays, formatMonth, formatUtcDay, monthAfter } from '../../components/text/calendar.ts'
import { formatNumber } from '../../components/text/number.ts'
import { shortenMiddle } from '../../components/text/shorten.ts'
import type {
  DeliveryHealthQuery,
  EvalUsageQuery,
  OverviewCountsQuery,
  OverviewWebhookQuery,
  UnusedKeysQuery,
} from '../../generated/overview.ts'
import { projectMonth } from './projection.ts'
import { lateAfterMs } from './variables.ts'

export type Problem = {
  id: string
  tone: 'bad' | 'warn' | 'neutral'
  /** A sentence without its full stop. */
  what: string
  /** When the problem began; the page adds the time at the end of the sentence. */
  since?: string | null
  /** A time that is added to the sentence, and the words before the time, such as "the first was due"; may be empty. */
  moment?: { word: string; at: string } | null
  /** Further sentences. */
  more?: string
  /** The advice, with a link to a page that helps, if there is one. */
  remedy: string
  to?: ProblemTarget
}

type ProblemTarget = {
  page: 'webhook' | 'team' | 'team/service-accounts/$serviceAccountId'
  params?: Record<string, string>
  search?: Record<string, string>
}

export type Webhook = NonNullable<OverviewWebhookQuery['webhook']>

type ReadAnswer<Query> = Answer<Query> | undefined

export type ProblemReads = {
  /** null: no webhook is connected. */
  webhook: Webhook | null | undefined
  deliveries: ReadAnswer<DeliveryHealthQuery>
  usage: ReadAnswer<EvalUsageQuery>
  counts: ReadAnswer<OverviewCountsQuery>
  unusedKeys: ReadAnswer<UnusedKeysQuery>
  now: Date
}

/** A key that has not been used for this many days is probably forgotten, or no longer needed. */
export const unusedDays = 90

/** How many of the newest failures are read; `DeliveryHealth` asks for as many. */
const maxFailuresRead = 50

/** Contract: Delivery 2. */
const attemptsOfEvent = 8

/** If the newest failure is older, it is not a current problem; the webhook's section counts it all the same. */
const recentMs = 7 * 86_400_000

/** The current problems, the worst first. A read that failed adds no problem. */
export function findProblems(known: ProblemReads): Problem[] {
  const severity = { bad: 0, warn: 1, neutral: 2 }
  return [
    findUsedUpAllotment(known),
    findPauseByFailures(known),
    findLateDeliveries(known),
    findFailedDeliveries(known),
    findPauseByHand(known),
    findAllotmentRunningOut(known),
    findRetriedDeliveries(known),
    findUnusedKeys(known),
    findPendingInvites(known),
  ]
    .filter((problem) => problem !== null)
    .sort((one, other) => severity[one.tone] - severity[other.tone])
}

function findPauseByFailures({ webhook, deliveries }: ProblemReads): Problem | null {
  if (!webhook?.disabledByFailures) return null
  return {
    id: 'paused-by-failures',
    tone: 'bad',
    what: 'Deliveries have been paused',
    since: webhook.disabledAt,
    more: `${webhook.failuresToPause} events in a row ran out of attempts.${describeWaiting(deliveries)}`,
    remedy: 'Fix the receiver and resume',
    to: { page: 'webhook' },
  }
}

function findPauseByHand({ webhook, deliveries }: ProblemReads): Problem | null {
  if (!webhook?.disabled || webhook.disabledByFailures) return null
  return {
    id: 'paused-by-hand',
    tone: 'warn',
    what: 'Deliveries have been paused manually',
    since: webhook.disabledAt,
    more: describeWaiting(deliveries).trim(),
    remedy: 'Resume deliveries',
    to: { page: 'webhook' },
  }
}

function describeWaiting(deliveries: ProblemReads['deliveries']): string {
  const queued = deliveries?.webhookEventCounts.queued ?? 0
  return queued === 0 ? '' : ` ${countWords(queued, 'event is waiting', 'events are waiting')}.`
}

/** Finds events that are due but not sent: no worker is running, or too few are. */
function findLateDeliveries({ webhook, deliveries, now }: ProblemReads): Problem | null {
  if (!webhook || webhook.disabled || !deliveries) return null
  const latest = now.getTime() - lateAfterMs
  const late = deliveries.waiting.nodes.filter(({ dueAt }) => dueAt !== null && Date.parse(dueAt) < latest)
  const oldest = late.map(({ dueAt }) => dueAt as string).sort()[0]
  if (oldest === undefined) return null
  return {
    id: 'late-deliveries',
    tone: 'bad',
    what: `Deliveries are stuck: ${late.length === 50 ? 'at least ' : ''}${countWords(late.length, 'event is', 'events are')} late`,
    moment: { word: 'the first was due', at: oldest },
    remedy: 'Check that a worker is running',
    to: { page: 'webhook', search: { state: 'QUEUED' } },
  }
}

function findFailedDeliveries({ webhook, deliveries, now }: ProblemReads): Problem | null {
  const newest = deliveries?.failed.nodes ?? []
  // Test events are left out: the person who sent one saw its outcome.
  const lost = newest.filter(({ type }) => type !== 'webhook.test')
  const failed = newest.length < maxFailuresRead ? lost.length : (deliveries?.webhookEventCounts.failed ?? 0)
  const last = lost[0]?.finishedAt
  if (!last || now.getTime() - Date.parse(last) > recentMs) return null
  const next =
    webhook && !webhook.disabled && webhook.exhaustedInARow > 1
      ? `${webhook.exhaustedInARow} in a row failed; after ${webhook.failuresToPause}, deliveries pause.`
      : ''
  return {
    id: 'failed-deliveries',
    tone: 'bad',
    what: `${countWords(failed, 'event was', 'events were')} given up after ${attemptsOfEvent} attempts`,
    moment: { word: failed === 1 ? '' : 'the last', at: last },
    more: next,
    remedy: 'See why, and resend',
    to: { page: 'webhook', search: { state: 'FAILED' } },
  }
}

function findRetriedDeliveries({ webhook, deliveries }: ProblemReads): Problem | null {
  const retrying = deliveries?.webhookEventCounts.retrying ?? 0
  if (retrying === 0 || webhook?.disabled) return null
  return {
    id: 'retried-deliveries',
    tone: 'warn',
    what: `The receiver refused ${countWords(retrying, 'event', 'events')}; deliveries will be retried`,
    remedy: 'See its answers',
    to: { page: 'webhook', search: { state: 'QUEUED' } },
  }
}

function findUsedUpAllotment({ usage }: ProblemReads): Problem | null {
  if (!usage) return null
  const { used, allotment, month } = usage.evalUsage
  if (allotment === null || used < allotment) return null
  return {
    id: 'allotment-used-up',
    tone: 'bad',
    what: `All ${formatNumber(allotment)} evals for ${formatMonth(month)} are used: checks are refused until ${formatUtcDay(`${monthAfter(month)}-01`)}`,
    remedy: 'The operator of the service can raise the allotment.',
  }
}

function findAllotmentRunningOut({ usage, now }: ProblemReads): Problem | null {
  if (!usage) return null
  const { used, allotment, month } = usage.evalUsage
  if (allotment === null || used >= allotment) return null
  const endsOn = projectMonth(usage.evalUsage, usage.previous.days, now.toISOString().slice(0, 10))?.endsOn
  if (!endsOn) return null
  const share = Math.floor((used / allotment) * 100)
  const lastDay = addDays(`${monthAfter(month)}-01`, -1)
  return {
    id: 'allotment-ending',
    tone: 'warn',
    what: `${share}% of the evals for ${formatMonth(month)} are used, on course to run out on ${formatUtcDay(endsOn)}${endsOn === lastDay ? ', the last day' : ''}`,
    remedy: 'Then checks are refused: cache answers for longer, or ask for a larger allotment.',
  }
}

function findUnusedKeys({ unusedKeys }: ProblemReads): Problem | null {
  const { nodes = [], pageInfo } = unusedKeys?.serviceAccounts ?? {}
  const [first, ...others] = nodes
  if (!first) return null
  const common = { id: 'unused-keys', tone: 'warn' } as const
  if (others.length === 0) {
    return {
      ...common,
      what: `The service account “${shortenMiddle(first.name, 60)}” has a key that has not been used for ${unusedDays} days`,
      remedy: 'See its keys',
      to: { page: 'team/service-accounts/$serviceAccountId', params: { serviceAccountId: first.serviceAccountId } },
    }
  }
  return {
    ...common,
    what: `${pageInfo?.hasNextPage ? 'At least ' : ''}${nodes.length} service accounts have keys that have not been used for ${unusedDays} days, such as “${shortenMiddle(first.name, 60)}”`,
    remedy: 'See them',
    to: { page: 'team', search: { tab: 'service-accounts' } },
  }
}

function findPendingInvites({ counts }: ProblemReads): Problem | null {
  const pending = counts?.counts.pendingInvites
  if (!pending || pending.value === 0) return null
  const number = pending.isExact
    ? countWords(pending.value, 'invite is waiting', 'invites are waiting')
    : `More than ${formatNumber(pending.value)} invites are waiting`
  return {
    id: 'pending-invites',
    tone: 'neutral',
    what: `${number} to be accepted`,
    remedy: 'See them',
    to: { page: 'team', search: { tab: 'invites' } },
  }
}

function countWords(value: number, one: string, many: string): string {
  return `${formatNumber(value)} ${value === 1 ? one : many}`
}
