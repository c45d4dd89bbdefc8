import { Button, Drawer } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { UseTheApi } from '../../../components/api/use-the-api.tsx'
import { ObjectHistory } from '../../../components/audit/object-history.tsx'
import { DeleteIcon, EditIcon } from '../../../components/icons/actions.tsx'
import { BackLink } from '../../../components/page/back-link.tsx'
import { ObjectLoaded } from '../../../components/page/object-loaded.tsx'
import { PageHeader } from '../../../components/page/page-header.tsx'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { ReadOnlyNotice } from '../../../frame/read-only-notice.tsx'
import { MemberDocument } from '../../../generated/team.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'
import { readMember } from '../api-examples.ts'
import { EditMemberForm } from './edit-member-form.tsx'
import type { Member } from './member.ts'
import { MemberDetails } from './member-details.tsx'
import { RemoveMemberDialog } from './remove-member-dialog.tsx'
import { StatusButton } from './status-button.tsx'

const route = getRouteApi('/o/$organizationId/team/members/$memberId')

export function MemberPage() {
  const { organizationId, memberId } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const query = useOrganizationQuery(MemberDocument, { memberId })
  const mayWrite = useMay('members:write')
  const setSearch = (patch: typeof search) => void navigate({ search: (old) => ({ ...old, ...patch }) })
  const closeEdit = () => setSearch({ edit: undefined })

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
                <UseTheApi
                  title="Reads this member"
                  example={readMember(memberId)}
                  opened={search.api === true}
                  onChange={(opened) => setSearch({ api: opened || undefined })}
                />
                {mayWrite && <MemberActions member={member} onEdit={() => setSearch({ edit: true })} />}
              </>
            }
          />
          <ReadOnlyNotice label="members:write" what="change members" />
          <MemberDetails member={member} />
          <ObjectHistory of={{ type: 'MEMBER', id: memberId }} />
          <Drawer opened={mayWrite && search.edit === true} onClose={closeEdit} title="Edit member">
            <EditMemberForm member={member} onClose={closeEdit} />
          </Drawer>
        </>
      )}
    </ObjectLoaded>
  )
}

function MemberActions({ member, onEdit }: { member: Member; onEdit(): void }) {
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
