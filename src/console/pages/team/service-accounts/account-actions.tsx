import { Button } from '@mantine/core'
import { useState } from 'react'
import { DeleteIcon, EditIcon } from '../../../components/icons/actions.tsx'
import { MemberDocument } from '../../../generated/team.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'
import { StatusButton } from '../members/status-button.tsx'
import type { Account } from './account.ts'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'

export function AccountActions({ account, onEdit }: { account: Account; onEdit(): void }) {
  const { memberId } = account
  const mayChangeMembers = useMay('members:write')
  const member = useOrganizationQuery(MemberDocument, { memberId }, { enabled: mayChangeMembers }).data?.member
  const [isDeleting, setDeleting] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<DeleteIcon size={16} />} onClick={() => setDeleting(true)}>
        Delete
      </Button>
      {mayChangeMembers && member && <StatusButton member={member} />}
      <Button variant="default" leftSection={<EditIcon size={16} />} onClick={onEdit}>
        Edit
      </Button>
      <DeleteAccountDialog account={account} opened={isDeleting} onClose={() => setDeleting(false)} />
    </>
  )
}
