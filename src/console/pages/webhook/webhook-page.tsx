import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { isServerError } from '../../api/errors.ts'
import { UseTheApi } from '../../components/api/use-the-api.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { PageHeader } from '../../components/page/page-header.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { OnlyFor } from '../../frame/only-for.tsx'
import { ReadOnlyNotice } from '../../frame/read-only-notice.tsx'
import { WebhookDocument } from '../../generated/webhook.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { saveWebhook } from './api-examples.ts'
import { ConnectWebhook } from './connect-webhook.tsx'
import { ConnectedWebhook } from './connected-webhook.tsx'
import { NewSecret } from './new-secret.tsx'
import { WebhookActions } from './webhook-actions.tsx'

const route = getRouteApi('/o/$organizationId/webhook')
const everyMs = 5000

export function WebhookPage() {
  return (
    <OnlyFor label="webhooks:read" title="Webhook">
      <WholeWebhook />
    </OnlyFor>
  )
}

function WholeWebhook() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const query = useOrganizationQuery(WebhookDocument, {}, { refetchInterval: everyMs })
  const [secret, setSecret] = useState<string | null>(null)
  const hasNone = isServerError(query.error, 'NOT_FOUND')
  const webhook = hasNone ? undefined : query.data?.webhook

  return (
    <>
      <PageHeader
        title="Webhook"
        description="Tells your product, within moments of a change, whose cached answers are stale."
        actions={
          <>
            <UseTheApi
              title="Saves the address of the webhook"
              example={saveWebhook(webhook?.url ?? 'https://app.example.com/entitlements')}
              opened={search.api === true}
              onChange={(opened) => void navigate({ search: (old) => ({ ...old, api: opened || undefined }) })}
            />
            {webhook && query.data && <WebhookActions webhook={webhook} counts={query.data.webhookEventCounts} />}
          </>
        }
      />
      <ReadOnlyNotice label="webhooks:write" what="change the webhook" />
      {secret !== null && <NewSecret secret={secret} onDone={() => setSecret(null)} />}
      {hasNone ? (
        <ConnectWebhook onSecret={setSecret} />
      ) : (
        <Loaded query={query} skeleton={<TableSkeleton />}>
          {(data) => <ConnectedWebhook webhook={data.webhook} counts={data.webhookEventCounts} onSecret={setSecret} />}
        </Loaded>
      )}
    </>
  )
}
