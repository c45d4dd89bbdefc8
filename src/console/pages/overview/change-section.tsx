import { Skeleton, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EntryList } from '../../components/audit/entry-list.tsx'
import { useFirstEntries } from '../../components/audit/use-entries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Section } from '../../components/page/section.tsx'
import { useOrganizationId } from '../../session/organization-id.ts'
import { pollIntervals } from './reads.ts'
import { changesVariables, shownChanges } from './variables.ts'

/** The latest changes, as sentences. */
export function ChangeSection() {
  const organizationId = useOrganizationId()
  const query = useFirstEntries(changesVariables, { refetchInterval: pollIntervals.changes })
  const all = (
    <Link to="/o/$organizationId/audit-log" params={{ organizationId }}>
      All
    </Link>
  )
  return (
    <Section title="Newest changes" actions={all}>
      <Loaded query={query} skeleton={<Skeleton height={shownChanges * 37} />}>
        {({ auditEvents: { nodes } }) =>
          nodes.length === 0 ? (
            <Text c="dimmed">No changes yet.</Text>
          ) : (
            <EntryList entries={nodes} maxEntries={shownChanges} />
          )
        }
      </Loaded>
    </Section>
  )
}
