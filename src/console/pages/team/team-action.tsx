import { Button } from '@mantine/core'
import { AddIcon } from '../../components/icons/actions.tsx'
import { useMay } from '../../session/viewer.ts'

type Props = { tab: string; onInvite(): void; onCreate(): void }

/** The one primary button: it adds to the list of the open tab. */
export function TeamAction({ tab, onInvite, onCreate }: Props) {
  const mayInvite = useMay('invites:write')
  const mayAddAccounts = useMay('service-accounts:write')
  if (tab === 'service-accounts') {
    return mayAddAccounts ? <AddButton onClick={onCreate}>Add service account</AddButton> : null
  }
  return mayInvite && tab !== 'roles' ? <AddButton onClick={onInvite}>Invite a person</AddButton> : null
}

function AddButton({ onClick, children }: { onClick(): void; children: string }) {
  return (
    <Button leftSection={<AddIcon size={16} />} onClick={onClick}>
      {children}
    </Button>
  )
}
