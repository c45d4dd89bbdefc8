import { Text } from '@mantine/core'
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { Moment } from '../../../components/text/moment.tsx'
import { type ApiKeyRowFragment, DeleteApiKeyDocument } from '../../../generated/team.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import { revokeKeyExample } from '../api-examples.ts'

type Props = { apiKey: ApiKeyRowFragment; serviceAccountId: string; onClose(): void }

export function RevokeKeyDialog({ apiKey, serviceAccountId, onClose }: Props) {
  const { keyId, keyPrefix, name, lastUsedAt } = apiKey
  const write = useOrganizationWrite()

  async function confirm(): Promise<void> {
    await write(DeleteApiKeyDocument, { input: { serviceAccountId, keyId } })
    toastDone(`Key ${keyPrefix}… is revoked.`)
  }

  return (
    <ConfirmDialog
      opened
      title={`Revoke the key ${name}`}
      action="Revoke key"
      example={revokeKeyExample(serviceAccountId, keyId)}
      typed={keyPrefix}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text>
        Programs that use it are refused from then on. It was{' '}
        {lastUsedAt ? (
          <>
            last used <Moment at={lastUsedAt} />.
          </>
        ) : (
          'never used.'
        )}
      </Text>
    </ConfirmDialog>
  )
}
