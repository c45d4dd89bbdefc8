import { Button, Drawer, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx'
import { toastDone } from '../../components/feedback/toast.tsx'
import { Properties } from '../../components/page/properties.tsx'
import { useFlag } from '../../components/page/use-flag.ts'
import { CopyButton } from '../../components/text/copy-button.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { formatNumber } from '../../components/text/number.ts'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { DisableWebhookDocument, PutWebhookDocument, RotateWebhookDocument } from '../../generated/webhook.ts'
import { showNewSecret } from '../../session/new-secret.ts'
import { useOrganizationWrite } from '../../session/queries.ts'
import { useMay } from '../../session/viewer.ts'
import { rotateWebhookExample } from './api-examples.ts'
import { type EventCounts, hostOf, type Webhook } from './webhook.ts'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookState } from './webhook-state.tsx'

type Props = { webhook: Webhook; counts: EventCounts }

/** The webhook's properties, and the buttons that change its address and rotate its secret. */
export function WebhookDetails({ webhook, counts }: Props) {
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
      <RotateDialog webhook={webhook} opened={isRotating} onClose={() => setRotating(false)} />
    </>
  )
}

function describeQueue({ queued, retrying }: EventCounts): string {
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

type RotateDialogProps = { webhook: Webhook; opened: boolean; onClose(): void }

function RotateDialog({ webhook, opened, onClose }: RotateDialogProps) {
  const write = useOrganizationWrite()
  return (
    <ConfirmDialog
      opened={opened}
      title="Rotate the secret"
      action="Rotate secret"
      example={rotateWebhookExample}
      confirmationText={hostOf(webhook.url)}
      onClose={onClose}
      onConfirm={async () => {
        const { secret } = (await write(RotateWebhookDocument, {})).rotateWebhook
        if (secret !== null) showNewSecret({ kind: 'WEBHOOK', value: secret })
      }}
    >
      <Text>
        The secret {webhook.secretPrefix}… stops working at once: every later attempt, retries included, is signed with
        the new one. Requests that your receiver refuses until it has the new secret are retried.
      </Text>
    </ConfirmDialog>
  )
}

type EditWebhookDrawerProps = { webhook: Webhook; opened: boolean; onClose(): void }

function EditWebhookDrawer({ webhook, opened, onClose }: EditWebhookDrawerProps) {
  const write = useOrganizationWrite()

  async function restoreFormerUrl(): Promise<void> {
    await write(PutWebhookDocument, { input: { url: webhook.url } })
    // Saving an address resumes deliveries.
    if (webhook.disabled) await write(DisableWebhookDocument, {})
  }

  return (
    <Drawer opened={opened} onClose={onClose} title="Change address">
      <Stack>
        <Text c="dimmed">
          The secret stays. Queued events go to the new address
          {webhook.disabled ? ', and saving resumes deliveries' : ''}.
        </Text>
        <WebhookForm
          url={webhook.url}
          action="Save"
          onCancel={onClose}
          onSaved={() => {
            toastDone('The address was saved.', restoreFormerUrl)
            onClose()
          }}
        />
      </Stack>
    </Drawer>
  )
}
