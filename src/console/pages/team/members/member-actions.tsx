import { Button } from '@mantine/core'
import { useState } from 'react'
import { DeleteIcon, EditIcon } from '../../../components/icons/actions.tsx'
import type { MemberRowFragment } from '../../../generated/team.ts'
import { RemoveMemberDialog } from './remove-member-dialog.tsx'
import { StatusButton } from './status-button.tsx'

export function MemberActions({ member, onEdit }: { member: MemberRowFragment; onEdit(): void }) {
  const [isRemoving, setRemoving] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<DeleteIcon size={16} />} onClick={() => setRemoving(true)}>
        Remove
      </Button>
      <StatusButton member={member} />
      <Button leftSection={<EditIcon size={16} />} onClick={onEdit}>
        Edit
      </Button>
      <RemoveMemberDialog member={member} opened={isRemoving} onClose={() => setRemoving(false)} />
    </>
  )
}
