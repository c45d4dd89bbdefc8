import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { Properties } from '../../components/page/properties.tsx'
import { useFlag } from '../../components/page/use-flag.ts'
import { CopyButton } from '../../components/text/copy-button.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { formatNumber } from '../../components/text/number.ts'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { useMay } from '../../session/viewer.ts'
import { EditWebhookDrawer } from './edit-webhook-drawer.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import type { Counts, Webhook } from './webhook.ts'
import { WebhookState } from './webhook-state.tsx'

type Props = { webhook: Webhook; counts: Counts; onSecret(secret: string): void }

/** What the webhook is, and the ways to move it and to rotate its secret. */
export function WebhookDetails({ webhook, counts, onSecret }: Props) {
  const edit = useFlag('edit')
  const mayWrite = useMay('webhooks:write')
  const [isRotating, setRotating] = useState(false)
  return (
    <>
      <Properties
        items={[
          ['State', <WebhookState key="state" webhook={webhook} />],
          [
            'Address',
            <Group key="url" gap={6}>
              <code>{shortenMiddle(webhook.url, 120)}</code> <CopyButton value={webhook.url} what="address" />
              {mayWrite && <SmallButton onClick={edit.open}>Change</SmallButton>}
            </Group>,
          ],
          [
            'Secret',
            <Group key="secret" gap={6}>
              <code>{webhook.secretPrefix}…</code>
              {mayWrite && <SmallButton onClick={() => setRotating(true)}>Rotate</SmallButton>}
            </Group>,
          ],
          ['Queued', describeQueue(counts)],
          ['Failed', formatNumber(counts.failed)],
          ['Changed', <Moment key="changed" at={webhook.updatedAt} />],
        ]}
      />
      <EditWebhookDrawer webhook={webhook} opened={mayWrite && edit.isOn} onClose={edit.close} />
      <RotateDialog webhook={webhook} opened={isRotating} onClose={() => setRotating(false)} onSecret={onSecret} />
    </>
  )
}

function describeQueue({ queued, retrying }: Counts): string {
  const total = formatNumber(queued)
  return retrying === 0 ? total : `${total} (${formatNumber(retrying)} retrying)`
}

function SmallButton({ onClick, children }: { onClick(): void; children: string }) {
  return (
    <Button variant="default" size="compact-sm" onClick={onClick}>
      {children}
    </Button>
  )
}
