import { Text } from '@mantine/core'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Section } from '../../components/page/section.tsx'
import { showNewSecret } from '../../session/new-secret.ts'
import { useMay } from '../../session/viewer.ts'
import classes from './webhook.module.css'
import { WebhookForm } from './webhook-form.tsx'

/** Focuses the first field, since the page is only this form; not on touch screens, whose keyboard would cover the form. */
function focusFirstField(form: HTMLElement | null): void {
  const { activeElement } = document
  const isFocusFree = activeElement === document.body || activeElement?.matches('main h1')
  if (isFocusFree && matchMedia('(hover: hover)').matches) form?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
}

/** Shown before there is a webhook: what a webhook does, and the form that connects one. */
export function ConnectWebhook() {
  if (!useMay('webhooks:write')) {
    return <EmptyState title="No webhook yet">Events are queued once there is an address to send them to.</EmptyState>
  }
  return (
    <Section title="Connect your product">
      <div className={classes.form} ref={focusFirstField}>
        <Text c="dimmed" mb="md">
          Save the address of your receiver. You then see the secret that signs every request, and can send a test
          event.
        </Text>
        <WebhookForm
          url=""
          action="Connect"
          onSaved={(secret) => {
            if (secret !== null) showNewSecret({ kind: 'WEBHOOK', value: secret })
          }}
        />
      </div>
    </Section>
  )
}
