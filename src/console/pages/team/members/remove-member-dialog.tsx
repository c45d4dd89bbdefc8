import { Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { DeleteMemberDocument, type MemberRowFragment } from '../../../generated/team.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { refresh, useOrganizationWrite } from '../../../session/queries.ts'
import { useViewer } from '../../../session/viewer.ts'
import { removeMemberExample } from '../api-examples.ts'

type Props = { member: MemberRowFragment; opened: boolean; onClose(): void }

export function RemoveMemberDialog({ member, opened, onClose }: Props) {
  const { memberId, displayName } = member
  const organizationId = useOrganizationId()
  const navigate = useNavigate()
  const isViewer = useViewer()?.member?.memberId === memberId
  const write = useOrganizationWrite()

  async function confirm(): Promise<void> {
    await write(DeleteMemberDocument, { input: { memberId } })
    if (isViewer) {
      await refresh(null)
      await navigate({ to: '/organizations' })
    } else await navigate({ to: '/o/$organizationId/team', params: { organizationId } })
    toastDone(isViewer ? 'You have left the organization.' : `${displayName} is removed.`)
  }

  return (
    <ConfirmDialog
      opened={opened}
      title={isViewer ? 'Leave this organization' : `Remove ${displayName}`}
      action={isViewer ? 'Leave' : 'Remove'}
      example={removeMemberExample(memberId)}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text>
        {isViewer ? 'You lose' : 'They lose'} access to this organization at once, in every browser. The account stays,
        and so does what it did in the audit log. Coming back takes a new invite.
      </Text>
    </ConfirmDialog>
  )
}
