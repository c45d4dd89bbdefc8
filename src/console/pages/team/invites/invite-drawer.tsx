import { Drawer } from '@mantine/core'
import { useState } from 'react'
import { ShownOnce } from '../../../components/feedback/shown-once.tsx'
import { Moment } from '../../../components/text/moment.tsx'
import { roleName } from '../../../components/text/role-words.ts'
import type { InviteRowFragment } from '../../../generated/team.ts'
import { InviteForm } from './invite-form.tsx'

type Props = { opened: boolean; onInvited(invite: InviteRowFragment): void; onClose(): void }

export function InviteDrawer({ opened, onInvited, onClose }: Props) {
  const [invite, setInvite] = useState<InviteRowFragment | null>(null)

  function close(): void {
    setInvite(null)
    onClose()
  }

  return (
    <Drawer opened={opened} onClose={close} title="Invite a person">
      {invite ? (
        <ShownOnce what="link" value={invite.link} done="Done" onDone={close}>
          Send this link{invite.email ? ` to ${invite.email}` : ''}. Whoever has it may join once as{' '}
          {roleName(invite.role)}; it ends <Moment at={invite.expiresAt} />. No e-mail is sent.
        </ShownOnce>
      ) : (
        <InviteForm
          onInvited={(made) => {
            setInvite(made)
            onInvited(made)
          }}
          onCancel={close}
        />
      )}
    </Drawer>
  )
}
