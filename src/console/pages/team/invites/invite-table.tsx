import { Button } from '@mantine/core'
import { useState } from 'react'
import { type Columns, DataTable } from '../../../components/table/data-table.tsx'
import { CopyButton } from '../../../components/text/copy-button.tsx'
import { Moment } from '../../../components/text/moment.tsx'
import { roleName } from '../../../components/text/role-words.ts'
import type { InviteRowFragment } from '../../../generated/team.ts'
import { useMay } from '../../../session/viewer.ts'
import { RevokeInviteDialog } from './revoke-invite-dialog.tsx'

type Invite = InviteRowFragment

const columns: Columns<Invite> = [
  { title: 'For', render: ({ email }) => email ?? 'whoever has the link' },
  { title: 'Role', render: ({ role }) => roleName(role) },
  { title: 'Link', render: ({ link }) => <CopyButton value={link} what="link" /> },
  { title: 'Made', render: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: 'Ends', align: 'right', render: ({ expiresAt }) => <Moment at={expiresAt} /> },
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
