import { Text } from '@mantine/core'
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { roleName } from '../../../components/text/role-words.ts'
import { DeleteInviteDocument, type InviteRowFragment } from '../../../generated/team.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import { revokeInviteExample } from '../api-examples.ts'

type Props = { invite: InviteRowFragment | null; onRevoked(inviteId: string): void; onClose(): void }

export function RevokeInviteDialog({ invite, onRevoked, onClose }: Props) {
  const write = useOrganizationWrite()

  async function confirm(): Promise<void> {
    if (!invite) return
    const { inviteId } = invite
    await write(DeleteInviteDocument, { input: { inviteId } })
    onRevoked(inviteId)
    toastDone('The invite is revoked.')
  }

  return (
    <ConfirmDialog
      opened={invite !== null}
      title="Revoke the invite"
      action="Revoke invite"
      example={revokeInviteExample(invite?.inviteId ?? '')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text>
        The link {invite?.email ? `for ${invite.email} ` : ''}as {invite && roleName(invite.role)} stops working at
        once. Nobody has joined with it yet.
      </Text>
    </ConfirmDialog>
  )
}
