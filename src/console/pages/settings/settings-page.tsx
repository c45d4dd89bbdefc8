import { getRouteApi } from '@tanstack/react-router'
import { UseTheApi } from '../../components/api/use-the-api.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { PageHeader } from '../../components/page/page-header.tsx'
import { Properties } from '../../components/page/properties.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { KeyText } from '../../components/text/key-text.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { ReadOnlyNotice } from '../../frame/read-only-notice.tsx'
import { SettingsDocument } from '../../generated/settings.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { useMay } from '../../session/viewer.ts'
import { RenameOrganizationForm, renameExample } from './rename-organization-form.tsx'

const route = getRouteApi('/o/$organizationId/settings')

export function SettingsPage() {
  const { api } = route.useSearch()
  const navigate = route.useNavigate()
  const mayRename = useMay('org:write')
  const query = useOrganizationQuery(SettingsDocument, {})
  return (
    <>
      <PageHeader
        title="Organization"
        description="What your team and its tools call this organization."
        actions={
          <UseTheApi
            title="Renames the organization"
            example={renameExample({ name: query.data?.organization.name ?? 'Acme' })}
            opened={api === true}
            onChange={(opened) => void navigate({ search: { api: opened || undefined } })}
          />
        }
      />
      <ReadOnlyNotice label="org:write" what="rename the organization" />
      <Loaded query={query} skeleton={<TableSkeleton rows={3} />}>
        {({ organization: { organizationId, name, createdAt } }) => (
          <>
            <Properties
              items={[
                ['Name', name],
                ['Id', <KeyText key="id" value={organizationId} max={26} copy="organization id" />],
                ['Created', <Moment key="created" at={createdAt} />],
              ]}
            />
            {mayRename && <RenameOrganizationForm name={name} />}
          </>
        )}
      </Loaded>
    </>
  )
}
