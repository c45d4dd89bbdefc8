import { ObjectHistory } from '../../components/audit/object-history.tsx'
import { DeliveryDrawer } from './delivery/delivery-drawer.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { PausedNotice } from './paused-notice.tsx'
import { VerifySection } from './verify-section.tsx'
import type { Counts, Webhook } from './webhook.ts'
import { WebhookDetails } from './webhook-details.tsx'

type Props = { webhook: Webhook; counts: Counts; onSecret(secret: string): void }

export function ConnectedWebhook({ webhook, counts, onSecret }: Props) {
  return (
    <>
      <PausedNotice webhook={webhook} counts={counts} />
      <WebhookDetails webhook={webhook} counts={counts} onSecret={onSecret} />
      <DeliveryList isPaused={webhook.disabled} />
      <VerifySection />
      <ObjectHistory of={{ type: 'WEBHOOK' }} />
      <DeliveryDrawer url={webhook.url} isPaused={webhook.disabled} />
    </>
  )
}
