import { Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Section } from '../../components/page/section.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { PlainFrame } from '../../frame/plain-frame.tsx'
import { PersonDocument } from '../../generated/session.ts'
import { usePersonQuery } from '../../session/queries.ts'
import { CreateOrganizationForm } from './create-organization-form.tsx'
import { JoinByLinkForm } from './join-by-link-form.tsx'
import { OrganizationList } from './organization-list.tsx'

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
