import { Button, Drawer, Tabs } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { PageApiMenu } from '../../components/api/use-the-api.tsx'
import { AddIcon } from '../../components/icons/actions.tsx'
import { PageHeader } from '../../components/page/page-header.tsx'
import { useFlag } from '../../components/page/use-flag.ts'
import { ReadOnlyNotice } from '../../frame/read-only-notice.tsx'
import { useService } from '../../session/service.ts'
import { type Label, useMay, useViewer } from '../../session/viewer.ts'
import { listMembers, listServiceAccounts } from './api-examples.ts'
import { GroupRoles } from './groups/group-roles.tsx'
import { InviteDrawer } from './invites/invite-drawer.tsx'
import { Invites } from './invites/invites.tsx'
import { useInvites } from './invites/use-invites.ts'
import { Members } from './members/members.tsx'
import { RoleTable } from './roles/role-table.tsx'
import { CreateAccountForm } from './service-accounts/create-account-form.tsx'
import { ServiceAccounts } from './service-accounts/service-accounts.tsx'

const route = getRouteApi('/o/$organizationId/team')

const tabs = [
  { tab: 'members', name: 'Members', label: 'members:read' },
  { tab: 'invites', name: 'Invites', label: 'invites:read' },
  { tab: 'service-accounts', name: 'Service accounts', label: 'service-accounts:read' },
  { tab: 'groups', name: 'Groups', label: 'members:write' },
  { tab: 'roles', name: 'Roles', label: 'org:read' },
] as const satisfies readonly { tab: string; name: string; label: Label }[]

type Tab = (typeof tabs)[number]['tab']

export function TeamPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const labels = useViewer()?.labels ?? []
  const mayInvite = useMay('invites:write')
  const mayAddAccounts = useMay('service-accounts:write')
  const invites = useInvites()
  const hasGroups = Boolean(useService()?.oidc)
  const offered = tabs.filter(({ tab, label }) => labels.includes(label) && (hasGroups || tab !== 'groups'))
  const tab = offered.find((each) => each.tab === search.tab)?.tab ?? 'members'
  const invite = useFlag('invite')
  const create = useFlag('create')
  const open = (next: Tab) => void navigate({ search: { tab: next === 'members' ? undefined : next } })

  return (
    <>
      <PageHeader
        title="Team"
        description="The people and programs that act in this organization."
        actions={
          <>
            <PageApiMenu
              {...(tab === 'service-accounts'
                ? { title: 'Lists the service accounts', example: listServiceAccounts }
                : { title: 'Lists the members', example: listMembers })}
            />
            <TeamAction tab={tab} onInvite={invite.open} onCreate={create.open} />
          </>
        }
      />
      <ReadOnlyNotice label="members:write" what="change the team" />
      <Tabs value={tab} onChange={(next) => open(next as Tab)} keepMounted={false}>
        <Tabs.List mb="md">
          {offered.map((each) => (
            <Tabs.Tab key={each.tab} value={each.tab} px={{ base: 8, xs: 'md' }}>
              {each.name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="members">
          <Members />
        </Tabs.Panel>
        <Tabs.Panel value="invites">
          <Invites {...invites} />
        </Tabs.Panel>
        <Tabs.Panel value="service-accounts">
          <ServiceAccounts onCreate={mayAddAccounts ? create.open : null} />
        </Tabs.Panel>
        <Tabs.Panel value="groups">
          <GroupRoles />
        </Tabs.Panel>
        <Tabs.Panel value="roles">
          <RoleTable />
        </Tabs.Panel>
      </Tabs>
      <InviteDrawer opened={mayInvite && invite.isOn} onInvited={invites.add} onClose={invite.close} />
      <Drawer opened={mayAddAccounts && create.isOn} onClose={create.close} title="Add service account">
        <CreateAccountForm onClose={create.close} />
      </Drawer>
    </>
  )
}

type Props = { tab: string; onInvite(): void; onCreate(): void }

/** The page's only primary button, which adds to the open tab's list. */
function TeamAction({ tab, onInvite, onCreate }: Props) {
  const mayInvite = useMay('invites:write')
  const mayAddAccounts = useMay('service-accounts:write')
  if (tab === 'service-accounts') {
    return mayAddAccounts ? <AddButton onClick={onCreate}>Add service account</AddButton> : null
  }
  return mayInvite && tab !== 'roles' && tab !== 'groups' ? (
    <AddButton onClick={onInvite}>Invite a person</AddButton>
  ) : null
}

function AddButton({ onClick, children }: { onClick(): void; children: string }) {
  return (
    <Button leftSection={<AddIcon size={16} />} onClick={onClick}>
      {children}
    </Button>
  )
}
