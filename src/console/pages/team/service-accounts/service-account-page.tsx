import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { UseTheApi } from '../../../components/api/use-the-api.tsx'
import { ObjectHistory } from '../../../components/audit/object-history.tsx'
import { AddIcon } from '../../../components/icons/actions.tsx'
import { BackLink } from '../../../components/page/back-link.tsx'
import { ObjectLoaded } from '../../../components/page/object-loaded.tsx'
import { PageHeader } from '../../../components/page/page-header.tsx'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { ReadOnlyNotice } from '../../../frame/read-only-notice.tsx'
import { ServiceAccountDocument } from '../../../generated/team.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'
import { readServiceAccount } from '../api-examples.ts'
import { AccountActions } from './account-actions.tsx'
import { AccountDetails } from './account-details.tsx'
import { ApiKeys } from './api-keys.tsx'
import { CreateKeyDrawer } from './create-key-drawer.tsx'
import { EditAccountDrawer } from './edit-account-drawer.tsx'

const route = getRouteApi('/o/$organizationId/team/service-accounts/$serviceAccountId')

export function ServiceAccountPage() {
  const { organizationId, serviceAccountId } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const query = useOrganizationQuery(ServiceAccountDocument, { serviceAccountId })
  const mayWrite = useMay('service-accounts:write')
  const setSearch = (patch: typeof search) => void navigate({ search: (old) => ({ ...old, ...patch }) })

  const above = (
    <BackLink to="/o/$organizationId/team" params={{ organizationId }} search={{ tab: 'service-accounts' }}>
      Service accounts
    </BackLink>
  )
  return (
    <ObjectLoaded query={query} id={serviceAccountId} above={above}>
      {({ serviceAccount: account }) => (
        <>
          <PageHeader
            above={above}
            title={shortenMiddle(account.name, 80)}
            description="A program that calls the API with its own keys."
            actions={
              <>
                <UseTheApi
                  title="Reads this service account and its keys"
                  example={readServiceAccount(serviceAccountId)}
                  opened={search.api === true}
                  onChange={(opened) => setSearch({ api: opened || undefined })}
                />
                {mayWrite && <AccountActions account={account} onEdit={() => setSearch({ edit: true })} />}
                {mayWrite && (
                  <Button leftSection={<AddIcon size={16} />} onClick={() => setSearch({ key: true })}>
                    Add key
                  </Button>
                )}
              </>
            }
          />
          <ReadOnlyNotice label="service-accounts:write" what="change service accounts" />
          <AccountDetails account={account} />
          <ApiKeys account={account} />
          <ObjectHistory of={{ type: 'SERVICE_ACCOUNT', id: serviceAccountId }} />
          <EditAccountDrawer
            account={account}
            opened={mayWrite && search.edit === true}
            onClose={() => setSearch({ edit: undefined })}
          />
          <CreateKeyDrawer
            serviceAccountId={serviceAccountId}
            opened={mayWrite && search.key === true}
            onClose={() => setSearch({ key: undefined })}
          />
        </>
      )}
    </ObjectLoaded>
  )
}
