import { Modal } from '@mantine/core'
import { ShownOnce } from '../components/feedback/shown-once.tsx'
import { confirmStored, type NewSecret, useNewSecret } from '../session/new-secret.ts'

/** Above other dialogs and drawers, but below the dialog that asks people to sign in again. */
const zIndexAboveDrawers = 300

const textsByKind: Record<NewSecret['kind'], { title: string; what: string; text: string }> = {
  WEBHOOK: {
    title: 'Store the new secret',
    what: 'secret',
    text: 'This is the only time the secret is shown. Your receiver verifies signatures with it: store it there as WEBHOOK_SECRET. Every request is signed with it from now on.',
  },
  API_KEY: {
    title: 'Store the new key',
    what: 'key',
    text: 'This is the only time the key is shown. Store it where your program reads its secrets; it sends the key in the X-API-Key header.',
  },
}

/** Shows a new secret, and closes only once the person confirms that they have stored it. */
export function NewSecretDialog() {
  const secret = useNewSecret()
  const { title, what, text } = textsByKind[secret?.kind ?? 'API_KEY']
  return (
    <Modal
      opened={secret !== null}
      onClose={() => {}}
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
      title={secret && title}
      size="lg"
      zIndex={zIndexAboveDrawers}
    >
      {secret && (
        <ShownOnce key={secret.value} what={what} value={secret.value} onDone={confirmStored}>
          {text}
        </ShownOnce>
      )}
    </Modal>
  )
}
