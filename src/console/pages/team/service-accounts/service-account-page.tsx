import { Button, Drawer, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { DeleteItem, PageApiMenu } from '../../../components/api/use-the-api.tsx'
import { ObjectHistory } from '../../../components/audit/history.tsx'
import { toProperties } from '../../../components/form/fields.tsx'
import { AddIcon, EditIcon } from '../../../components/icons/actions.tsx'
import { BackLink } from '../../../components/page/back-link.tsx'
import { ObjectLoaded } from '../../../components/page/object-loaded.tsx'
import { PageHeader } from '../../../components/page/page-header.tsx'
import { Properties } from '../../../components/page/properties.tsx'
import { Section } from '../../../components/page/section.tsx'
import { useFlag } from '../../../components/page/use-flag.ts'
import { PagedList } from '../../../components/table/paged-list.tsx'
import { TableSkeleton } from '../../../components/table/table-skeleton.tsx'
import { KeyText } from '../../../components/text/key-text.tsx'
import { LastSeen, Moment } from '../../../components/text/moment.tsx'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { ReadOnlyNotice } from '../../../frame/read-only-notice.tsx'
import { MemberDocument, ServiceAccountDocument } from '../../../generated/team.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'
import { readServiceAccount } from '../api-examples.ts'
import { MemberState } from '../members/member-state.tsx'
import { StatusButton } from '../members/status-button.tsx'
import { type Account, accountFields } from './account.ts'
import { CreateKeyDrawer } from './create-key-drawer.tsx'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'
import { EditAccountForm } from './edit-account-form.tsx'
import { KeyTable } from './key-table.tsx'
import { useApiKeys } from './use-api-keys.ts'

const route = getRouteApi('/o/$organizationId/team/service-accounts/$serviceAccountId')

export function ServiceAccountPage() {
  const { organizationId, serviceAccountId } = route.useParams()
  const edit = useFlag('edit')
  const key = useFlag('key')
  const query = useOrganizationQuery(ServiceAccountDocument, { serviceAccountId })
  const mayWrite = useMay('service-accounts:write')
  const [isDeleting, setDeleting] = useState(false)

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
                {mayWrite && <AccountActions account={account} onEdit={edit.open} />}
                <PageApiMenu
                  title="Reads this service account and its keys"
                  example={readServiceAccount(serviceAccountId)}
                  items={mayWrite && <DeleteItem onClick={() => setDeleting(true)} />}
                />
                {mayWrite && (
                  <Button leftSection={<AddIcon size={16} />} onClick={key.open}>
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
          <Drawer opened={mayWrite && edit.isOn} onClose={edit.close} title="Edit service account">
            <EditAccountForm account={account} onClose={edit.close} />
          </Drawer>
          <DeleteAccountDialog account={account} opened={isDeleting} onClose={() => setDeleting(false)} />
          <CreateKeyDrawer serviceAccountId={serviceAccountId} opened={mayWrite && key.isOn} onClose={key.close} />
        </>
      )}
    </ObjectLoaded>
  )
}

function AccountActions({ account, onEdit }: { account: Account; onEdit(): void }) {
  const { memberId } = account
  const mayChangeMembers = useMay('members:write')
  const member = useOrganizationQuery(MemberDocument, { memberId }, { enabled: mayChangeMembers }).data?.member
  return (
    <>
      {mayChangeMembers && (member ? <StatusButton member={member} /> : <StatusSpace />)}
      <Button variant="default" leftSection={<EditIcon size={16} />} onClick={onEdit}>
        Edit
      </Button>
    </>
  )
}

/** Reserves space for the status button: on a phone, a late button would push the others to another line. */
function StatusSpace() {
  return (
    <Button variant="default" disabled>
      Disable
    </Button>
  )
}

function AccountDetails({ account }: { account: Account }) {
  const { memberId, serviceAccountId, createdAt } = account
  const mayReadMembers = useMay('members:read')
  const member = useOrganizationQuery(MemberDocument, { memberId }, { enabled: mayReadMembers }).data?.member
  return (
    <Properties
      items={[
        ...toProperties(accountFields, account),
        ['State', member ? <MemberState key="state" status={member.status} /> : '—'],
        ['Last seen', <LastSeen key="seen" at={member?.lastSeenAt ?? null} />],
        ['Created', <Moment key="created" at={createdAt} />],
        ['Service account id', <KeyText key="id" value={serviceAccountId} copy="service account id" />],
        ['Member id', <KeyText key="member" value={memberId} copy="member id" />],
      ]}
    />
  )
}

function ApiKeys({ account }: { account: Account }) {
  const pages = useApiKeys(account.serviceAccountId)
  const none = <Text c="dimmed">No keys. The account can do nothing without one.</Text>
  return (
    <Section title="Keys" description="A key is shown once, when it is created. Here are the first characters of each.">
      <PagedList pages={pages} skeleton={<TableSkeleton rows={2} />} none={none} keepsRows>
        {(keys) => <KeyTable keys={keys} serviceAccountId={account.serviceAccountId} />}
      </PagedList>
    </Section>
  )
}
