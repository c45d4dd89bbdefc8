import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { BackLink } from '../../../components/page/back-link.tsx'
import { PageHeader } from '../../../components/page/page-header.tsx'
import { TableSkeleton } from '../../../components/table/table-skeleton.tsx'
import { OnlyFor } from '../../../frame/read-only-notice.tsx'
import { PersonDocument, ViewerDocument } from '../../../generated/session.ts'
import { readOptions, usePersonQuery } from '../../../session/queries.ts'
import { CopyDifference } from './copy-difference.tsx'
import { type Organization, TargetChoice } from './target-choice.tsx'
import { useCatalog } from './use-copy.ts'

const route = getRouteApi('/o/$organizationId/copy-catalog')

/** Copies this organization's catalog to another organization of the same person. */
export function CopyPage() {
  const { organizationId } = route.useParams()
  return (
    <OnlyFor label="plans:read" title="Copy catalog">
      <PageHeader
        title="Copy catalog"
        description="Gives another organization the features and plans of this one. You see what would change before anything is written."
        above={
          <BackLink to="/o/$organizationId/plans" params={{ organizationId }}>
            Plans
          </BackLink>
        }
      />
      <Loaded query={usePersonQuery(PersonDocument, {})} skeleton={<TableSkeleton rows={3} />}>
        {({ user }) => <Copy organizations={user.organizations} />}
      </Loaded>
    </OnlyFor>
  )
}

function Copy({ organizations }: { organizations: readonly Organization[] }) {
  const { organizationId } = route.useParams()
  const { to } = route.useSearch()
  const navigate = route.useNavigate()
  const others = organizations.filter((other) => other.organizationId !== organizationId)
  const target = others.find((other) => other.organizationId === to)
  if (others.length === 0) {
    return (
      <EmptyState
        title="You have no other organization"
        action={<Link to="/organizations">Create or join another</Link>}
      >
        A catalog is copied to another organization that you are a member of, such as one for tests.
      </EmptyState>
    )
  }
  return (
    <Stack gap="md">
      <TargetChoice
        organizations={others}
        value={target?.organizationId ?? ''}
        onChange={(chosen) => void navigate({ search: { to: chosen }, replace: true })}
      />
      {target && <CopyTo key={target.organizationId} target={target} />}
    </Stack>
  )
}

function CopyTo({ target }: { target: Organization }) {
  const viewer = useQuery(readOptions(target.organizationId, ViewerDocument, {}))
  return (
    <Loaded query={viewer} skeleton={<TableSkeleton />}>
      {({ viewer: { labels, role } }) =>
        ['features:write', 'plans:write'].every((label) => labels.includes(label)) ? (
          <BothCatalogs target={target} />
        ) : (
          <Text role="status">
            Your role in {target.name}, {role?.toLowerCase()}, cannot change features and plans. Ask an admin there for
            the role developer.
          </Text>
        )
      }
    </Loaded>
  )
}

function BothCatalogs({ target }: { target: Organization }) {
  const source = useCatalog(route.useParams().organizationId)
  const there = useCatalog(target.organizationId)
  return (
    <Loaded query={source} skeleton={<TableSkeleton />}>
      {(from) => (
        <Loaded query={there} skeleton={<TableSkeleton />}>
          {(to) => <CopyDifference source={from} target={to} organization={target} />}
        </Loaded>
      )}
    </Loaded>
  )
}
