import { Group, Text, TextInput } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Answer } from '../../api/typed-document.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { ServerForm } from '../../components/form/server-form.tsx'
import { useServerForm } from '../../components/form/use-server-form.ts'
import { ForwardIcon } from '../../components/icons/navigation.tsx'
import { Section } from '../../components/page/section.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { EnvironmentBadge } from '../../components/text/environment-badge.tsx'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { PlainFrame } from '../../frame/plain-frame.tsx'
import { JoinOrganizationDocument } from '../../generated/join.ts'
import { CreateOrganizationDocument } from '../../generated/organizations.ts'
import { PersonDocument, type PersonQuery } from '../../generated/session.ts'
import { findInviteToken } from '../../session/invite-token.ts'
import { usePersonQuery, usePersonWrite } from '../../session/queries.ts'
import classes from './organization-list.module.css'

/** Where a person chooses, creates or joins an organization. */
export function OrganizationsPage() {
  const query = usePersonQuery(PersonDocument, {})
  return (
    <PlainFrame title="Organizations" description="Each has its own features, plans, subscribers and members.">
      <Loaded query={query} skeleton={<TableSkeleton rows={2} />}>
        {({ user }) => (
          <>
            <OrganizationList organizations={user.organizations} />
            <Section title="Create an organization" description="You become its admin.">
              <CreateOrganizationForm />
            </Section>
            <Section title="Join with an invite">
              <JoinByLinkForm />
            </Section>
            <Group mt="xl" gap="xs">
              <Text c="dimmed">Signed in as {user.displayName}.</Text>
              <Link to="/account">Account</Link>
            </Group>
          </>
        )}
      </Loaded>
    </PlainFrame>
  )
}

function CreateOrganizationForm() {
  const navigate = useNavigate()
  const write = usePersonWrite()
  const state = useServerForm({
    initialValues: { name: '' },
    draft: 'create-organization',
    async submit(input) {
      const { createOrganization } = await write(CreateOrganizationDocument, { input })
      const { organizationId } = createOrganization
      await navigate({ to: '/o/$organizationId', params: { organizationId } })
    },
  })
  return (
    <ServerForm state={state} action="Create">
      <TextInput label="Name" autoComplete="organization" {...state.form.getInputProps('name')} />
    </ServerForm>
  )
}

type Props = { organizations: Answer<PersonQuery>['user']['organizations'] }

function OrganizationList({ organizations }: Props) {
  if (organizations.length === 0) {
    return (
      <Text>
        You are not a member of any organization. Create one, or ask a colleague for an invite: an admin of their
        organization can send you a link.
      </Text>
    )
  }
  return (
    <ul className={classes.list}>
      {organizations.map(({ organizationId, name, environment, role }) => (
        <li key={organizationId}>
          <Link to="/o/$organizationId" params={{ organizationId }} className={classes.link}>
            <span className={classes.name}>{shortenMiddle(name, 80)}</span>
            <EnvironmentBadge environment={environment} />
            <span className={classes.role}>{role.toLowerCase()}</span>
            <ForwardIcon size={16} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

function JoinByLinkForm() {
  const navigate = useNavigate()
  const write = usePersonWrite()
  const state = useServerForm({
    initialValues: { invite: '' },
    async submit({ invite }) {
      const input = { invite: findInviteToken(invite) ?? invite }
      const { joinOrganization } = await write(JoinOrganizationDocument, { input })
      const { organizationId } = joinOrganization
      await navigate({ to: '/o/$organizationId', params: { organizationId } })
    },
  })
  return (
    <ServerForm state={state} action="Join" isSecondary>
      <TextInput
        label="Invite link"
        placeholder="https://…/join#inv_…"
        autoComplete="off"
        {...state.form.getInputProps('invite')}
      />
    </ServerForm>
  )
}
