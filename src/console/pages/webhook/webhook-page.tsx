import { Text } from '@mantine/core'
import { useState } from 'react'
import { isServerError } from '../../api/errors.ts'
import { CodeBlock, Fold } from '../../components/api/code-block.tsx'
import { DeleteItem, PageApiMenu } from '../../components/api/use-the-api.tsx'
import { ObjectHistory } from '../../components/audit/history.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { PageHeader } from '../../components/page/page-header.tsx'
import { Section } from '../../components/page/section.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { OnlyFor, ReadOnlyNotice } from '../../frame/read-only-notice.tsx'
import { WebhookDocument } from '../../generated/webhook.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { useMay } from '../../session/viewer.ts'
import { saveWebhookExample } from './api-examples.ts'
import { ConnectWebhook } from './connect-webhook.tsx'
import { DeliveryDrawer } from './delivery/delivery-drawer.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { Followers } from './followers.tsx'
import { PausedNotice } from './paused-notice.tsx'
import { Resume } from './resume.tsx'
import { verifySnippet } from './verify-snippet.ts'
import type { EventCounts, Webhook } from './webhook.ts'
import { DeleteWebhookDialog, PauseButton, SendTest } from './webhook-actions.tsx'
import { WebhookDetails } from './webhook-details.tsx'

const pollIntervalMs = 5000

export function WebhookPage() {
  return (
    <OnlyFor label="webhooks:read" title="Webhook">
      <WebhookContent />
    </OnlyFor>
  )
}

function WebhookContent() {
  const query = useOrganizationQuery(WebhookDocument, {}, { refetchInterval: pollIntervalMs })
  const mayWrite = useMay('webhooks:write')
  const [isDeleting, setDeleting] = useState(false)
  const hasNone = isServerError(query.error, 'NOT_FOUND')
  const webhook = hasNone ? undefined : query.data?.webhook

  return (
    <>
      <PageHeader
        title="Webhook"
        // The description appears together with all buttons. A button that appeared later would move the other buttons and, on
        // a phone, the description below them.
        description={!query.isPending && 'Tells your product whose cached answers have become stale.'}
        actions={
          !query.isPending && (
            <>
              {webhook && (webhook.disabled ? <SendTest variant="default" /> : <PauseButton webhook={webhook} />)}
              <PageApiMenu
                title="Saves the address of the webhook"
                example={saveWebhookExample(webhook?.url ?? 'https://app.example.com/entitlements')}
                items={mayWrite && webhook && <DeleteItem onClick={() => setDeleting(true)} />}
              />
              {webhook && query.data && (
                <>
                  {webhook.disabled ? (
                    mayWrite && <Resume disabledAt={webhook.disabledAt} counts={query.data.webhookEventCounts} />
                  ) : (
                    <SendTest variant="filled" />
                  )}
                  <DeleteWebhookDialog
                    webhook={webhook}
                    counts={query.data.webhookEventCounts}
                    opened={isDeleting}
                    onClose={() => setDeleting(false)}
                  />
                </>
              )}
            </>
          )
        }
      />
      <ReadOnlyNotice label="webhooks:write" what="change the webhook" />
      {hasNone ? (
        <>
          <ConnectWebhook />
          <Followers />
        </>
      ) : (
        <Loaded query={query} skeleton={<TableSkeleton />}>
          {(data) => <ConnectedWebhook webhook={data.webhook} counts={data.webhookEventCounts} />}
        </Loaded>
      )}
    </>
  )
}

function ConnectedWebhook({ webhook, counts }: { webhook: Webhook; counts: EventCounts }) {
  return (
    <>
      <PausedNotice webhook={webhook} counts={counts} />
      <WebhookDetails webhook={webhook} counts={counts} />
      <DeliveryList isPaused={webhook.disabled} failed={counts.failed} />
      <Followers />
      <VerifySection />
      <ObjectHistory of={{ type: 'WEBHOOK' }} />
      <DeliveryDrawer url={webhook.url} isPaused={webhook.disabled} />
    </>
  )
}

/** How the receiver checks a request; collapsed at first. */
function VerifySection() {
  return (
    <Section title="Verify in your receiver">
      <Fold title="How to verify that a request came from this service">
        <Text c="dimmed" my="xs">
          Anybody can send a POST to your address. Trust only requests that are signed with your secret, answer with a
          status from 200 to 299 within 5 seconds, and expect that an event may arrive twice.
        </Text>
        <CodeBlock title="Node" code={verifySnippet} />
      </Fold>
    </Section>
  )
}
