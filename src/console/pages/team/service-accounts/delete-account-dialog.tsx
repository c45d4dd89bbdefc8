import { Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { DeleteServiceAccountDocument } from '../../../generated/team.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import { deleteAccountExample } from '../api-examples.ts'
import type { Account } from './account.ts'
import { useApiKeys } from './use-api-keys.ts'

type Props = { account: Account; opened: boolean; onClose(): void }

export function DeleteAccountDialog({ account, opened, onClose }: Props) {
  const { serviceAccountId, name } = account
  const organizationId = useOrganizationId()
  const navigate = useNavigate()
  const write = useOrganizationWrite()
  const { nodes, hasMore } = useApiKeys(serviceAccountId)

  async function confirm(): Promise<void> {
    await write(DeleteServiceAccountDocument, { input: { serviceAccountId } })
    await navigate({
      to: '/o/$organizationId/team',
      params: { organizationId },
      search: { tab: 'service-accounts' },
    })
    toastDone(`Service account ${name} was deleted.`)
  }

  return (
    <ConfirmDialog
      opened={opened}
      title={`Delete ${name}`}
      action="Delete service account"
      example={deleteAccountExample(serviceAccountId)}
      confirmationText={name}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text>{describeAffectedKeys(nodes.length, hasMore)} This cannot be undone.</Text>
    </ConfirmDialog>
  )
}

function describeAffectedKeys(count: number, hasMore: boolean): string {
  if (count === 0) return 'It has no keys.'
  if (count === 1) return 'Its key stops working at once: programs that use it are refused.'
  return `Its ${hasMore ? 'more than ' : ''}${count} keys stop working at once: programs that use them are refused.`
}
