import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { type Columns, DataTable } from '../../../components/table/data-table.tsx'
import { CopyButton } from '../../../components/text/copy-button.tsx'
import { Moment } from '../../../components/text/moment.tsx'
import { roleName } from '../../../components/text/role-words.ts'
import { DeleteInviteDocument, type InviteRowFragment } from '../../../generated/team.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'
import { revokeInviteExample } from '../api-examples.ts'

type Invite = InviteRowFragment

const columns: Columns<Invite> = [
  { title: 'For', render: ({ email }) => email ?? 'anyone with the link' },
  { title: 'Role', render: ({ role }) => roleName(role) },
  {
    title: 'Link',
    render: ({ link }) => (link === null ? 'lost: invite again' : <CopyButton value={link} what="link" />),
  },
  { title: 'Created', render: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: 'Expires', align: 'right', render: ({ expiresAt }) => <Moment at={expiresAt} /> },
]

type Props = { invites: readonly Invite[]; onRevoked(inviteId: string): void }

export function InviteTable({ invites, onRevoked }: Props) {
  const mayWrite = useMay('invites:write')
  const [revoking, setRevoking] = useState<Invite | null>(null)
  return (
    <>
      <DataTable
        label="Invites"
        rows={invites}
        rowKey={({ inviteId }) => inviteId}
        columns={columns}
        {...(mayWrite && {
          actions: (invite: Invite) => (
            <Button size="compact-sm" variant="default" onClick={() => setRevoking(invite)}>
              Revoke
            </Button>
          ),
        })}
      />
      <RevokeInviteDialog invite={revoking} onRevoked={onRevoked} onClose={() => setRevoking(null)} />
    </>
  )
}

type RevokeInviteDialogProps = { invite: InviteRowFragment | null; onRevoked(inviteId: string): void; onClose(): void }

function RevokeInviteDialog({ invite, onRevoked, onClose }: RevokeInviteDialogProps) {
  const write = useOrganizationWrite()

  async function confirm(): Promise<void> {
    if (!invite) return
    const { inviteId } = invite
    await write(DeleteInviteDocument, { input: { inviteId } })
    onRevoked(inviteId)
    toastDone('The invite was revoked.')
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
