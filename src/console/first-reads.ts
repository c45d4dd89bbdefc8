import type { TypedDocument } from './api/typed-document.ts'
import { AuditEventsDocument } from './generated/audit.ts'
import { DeliveryToSubscriberDocument } from './generated/delivery-status.ts'
import { CatalogNamesDocument, ExplanationDocument, ScheduledOverridesDocument } from './generated/explanation.ts'
import { EntitlementHistoryDocument } from './generated/history.ts'
import {
  AskedFeaturesDocument,
  DeliveryHealthDocument,
  EvalUsageDocument,
  ExpiringOverridesDocument,
  OverviewCountsDocument,
  OverviewWebhookDocument,
} from './generated/overview.ts'
import { PersonDocument, ServiceDocument, ViewerDocument } from './generated/session.ts'
import { PlanChoicesDocument, SubscriberDocument } from './generated/subscribers.ts'
import { changesVariables, deliveryVariables, expiringVariables, usageVariables } from './pages/overview/variables.ts'
import { scheduledVariables } from './pages/subscribers/story/variables.ts'

type Read = <Result, Variables>(
  organizationId: string | null,
  document: TypedDocument<Result, Variables>,
  variables: Variables,
) => void

/**
 * Calls `read` for the first reads of the page at an address, exactly as the page sends them:
 * `test/console/slow-connection.test.ts` fails if the page does not use one of them. For other pages, these are only the
 * reads of the frame.
 */
export function sendFirstReads(
  { pathname, search }: { pathname: string; search: string },
  now: Date,
  read: Read,
): void {
  if (/^\/(sign-(in|up)|join)$/.test(pathname)) read(null, ServiceDocument, {})
  if (pathname !== '/' && !pathname.startsWith('/o/')) return
  read(null, PersonDocument, {})
  const [, organizationId, page, object] = pathname.split('/').slice(1).map(decodeURIComponent)
  if (organizationId === undefined) return
  read(organizationId, ViewerDocument, {})
  if (!page) readOverview(organizationId, now, read)
  if (page === 'subscribers' && object !== undefined)
    readSubscriber(organizationId, { subscriberId: object, search }, now, read)
}

function readOverview(organizationId: string, now: Date, read: Read): void {
  read(organizationId, OverviewCountsDocument, {})
  read(organizationId, EvalUsageDocument, usageVariables(now))
  read(organizationId, OverviewWebhookDocument, {})
  read(organizationId, DeliveryHealthDocument, deliveryVariables(now))
  read(organizationId, AskedFeaturesDocument, {})
  read(organizationId, ExpiringOverridesDocument, { ...expiringVariables(now), after: null })
  read(organizationId, AuditEventsDocument, changesVariables)
}

type ShownSubscriber = { subscriberId: string; search: string }

function readSubscriber(
  organizationId: string,
  { subscriberId, search }: ShownSubscriber,
  now: Date,
  read: Read,
): void {
  read(organizationId, SubscriberDocument, { subscriberId })
  const params = new URLSearchParams(search)
  if (params.has('tab') || params.has('at')) return
  read(organizationId, ExplanationDocument, { subscriberId })
  read(organizationId, CatalogNamesDocument, {})
  read(organizationId, EntitlementHistoryDocument, { subscriberId, first: 100, after: null })
  read(organizationId, DeliveryToSubscriberDocument, { subscriberId })
  read(organizationId, ScheduledOverridesDocument, scheduledVariables(subscriberId, now))
  read(organizationId, PlanChoicesDocument, {})
}
