import { Button, Drawer, Text } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { DeleteItem, PageApiMenu } from '../../../components/api/use-the-api.tsx'
import { ObjectHistory } from '../../../components/audit/history.tsx'
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { EditIcon } from '../../../components/icons/actions.tsx'
import { BackLink } from '../../../components/page/back-link.tsx'
import { ObjectLoaded } from '../../../components/page/object-loaded.tsx'
import { PageHeader } from '../../../components/page/page-header.tsx'
import { useFlag } from '../../../components/page/use-flag.ts'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { ReadOnlyNotice } from '../../../frame/read-only-notice.tsx'
import { DeleteMemberDocument, MemberDocument, type MemberRowFragment } from '../../../generated/team.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { refresh, useOrganizationQuery, useOrganizationWrite } from '../../../session/queries.ts'
import { useMay, useViewer } from '../../../session/viewer.ts'
import { readMember, removeMemberExample } from '../api-examples.ts'
import { EditMemberForm } from './edit-member-form.tsx'
import { MemberDetails } from './member-details.tsx'
import { StatusButton } from './status-button.tsx'

const route = getRouteApi('/o/$organizationId/team/members/$memberId')

export function MemberPage() {
  const { organizationId, memberId } = route.useParams()
  const edit = useFlag('edit')
  const query = useOrganizationQuery(MemberDocument, { memberId })
  const mayWrite = useMay('members:write')
  const [isRemoving, setRemoving] = useState(false)

  const above = (
    <BackLink to="/o/$organizationId/team" params={{ organizationId }}>
      Team
    </BackLink>
  )
  return (
    <ObjectLoaded query={query} id={memberId} above={above}>
      {({ member }) => (
        <>
          <PageHeader
            above={above}
            title={shortenMiddle(member.displayName, 80)}
            description={member.email ?? undefined}
            actions={
              <>
                {mayWrite && <StatusButton member={member} />}
                <PageApiMenu
                  title="Reads this member"
                  example={readMember(memberId)}
                  items={mayWrite && <DeleteItem onClick={() => setRemoving(true)}>Remove</DeleteItem>}
                />
                {mayWrite && (
                  <Button leftSection={<EditIcon size={16} />} onClick={edit.open}>
                    Edit
                  </Button>
                )}
              </>
            }
          />
          <ReadOnlyNotice label="members:write" what="change members" />
          <MemberDetails member={member} />
          <ObjectHistory of={{ type: 'MEMBER', id: memberId }} />
          <Drawer opened={mayWrite && edit.isOn} onClose={edit.close} title="Edit member">
            <EditMemberForm member={member} onClose={edit.close} />
          </Drawer>
          <RemoveMemberDialog member={member} opened={isRemoving} onClose={() => setRemoving(false)} />
        </>
      )}
    </ObjectLoaded>
  )
}

type Props = { member: MemberRowFragment; opened: boolean; onClose(): void }

function RemoveMemberDialog({ member, opened, onClose }: Props) {
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
    toastDone(isViewer ? 'You have left the organization.' : `${displayName} was removed.`)
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
        {isViewer ? 'You lose' : 'They lose'} access to this organization at once, in every browser. The account and its
        entries in the audit log stay. Coming back requires a new invite.
      </Text>
    </ConfirmDialog>
  )
}
