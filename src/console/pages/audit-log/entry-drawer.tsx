import { Drawer, Skeleton, Stack, Text } from '@mantine/core'
import { getRouteApi, Link, type LinkProps } from '@tanstack/react-router'
import { Fragment } from 'react'
import { ApiExampleFold } from '../../components/api/api-example-fold.tsx'
import { BeforeAfter } from '../../components/audit/before-after.tsx'
import { type AuditEntry, isDone } from '../../components/audit/describe-entry.ts'
import { EntryLine } from '../../components/audit/entry-line.tsx'
import { isImport } from '../../components/audit/fold-imports.ts'
import { HistoryLink } from '../../components/audit/history.tsx'
import { toNamedObject } from '../../components/audit/history-of.ts'
import { type AuditTarget, findTarget, withName } from '../../components/audit/object-target.ts'
import { describeOutcome } from '../../components/audit/outcome.ts'
import { useFormerName } from '../../components/audit/use-names.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Properties } from '../../components/page/properties.tsx'
import { CopyButton } from '../../components/text/copy-button.tsx'
import { KeyText } from '../../components/text/key-text.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { StateBadge } from '../../components/text/state-badge.tsx'
import { useOrganizationId } from '../../session/organization-id.ts'
import { useMay } from '../../session/viewer.ts'
import { readAuditEvent } from './api-examples.ts'
import { EntryNeighbours } from './entry-neighbours.tsx'
import { ImportRows } from './import-rows.tsx'
import { useEntry } from './use-entry.ts'

/** Shows one entry: a sentence about it, what changed, the object, and where the request came from. */
function EntryDetails({ entry, parts }: { entry: AuditEntry; parts: readonly string[] }) {
  const { tone, text } = describeOutcome(entry)
  const found = findTarget(entry)
  const name = useFormerName(found && toNamedObject(found.of))
  const target = found && withName(found, name)
  return (
    <Stack>
      <Text fz="1rem">
        <EntryLine entry={entry} />
      </Text>
      {isImport(entry) ? (
        <ImportRows key={entry.id} requestIds={[entry.requestId, ...parts]} />
      ) : (
        <BeforeAfter entry={entry} />
      )}
      {target && <EntryNeighbours key={entry.id} entry={entry} of={target.of} />}
      <Properties
        items={[
          [
            'Outcome',
            <StateBadge key="outcome" tone={tone}>
              {text}
            </StateBadge>,
          ],
          ['When', <Moment key="when" at={entry.occurredAt} />],
          ...(target ? ([['Object', <TargetLink key="object" target={target} />]] as const) : []),
          ...(target
            ? ([
                [
                  'History',
                  <Fragment key="history">
                    <HistoryLink of={target.of}>{`All entries for ${shortenMiddle(target.text, 40)}`}</HistoryLink>
                    {isDone(entry) && <RevertLink entry={entry} target={target} />}
                  </Fragment>,
                ],
              ] as const)
            : []),
          ['Request', <RequestId key="request" id={entry.requestId} />],
          ['Address', <code key="address">{entry.ip}</code>],
          ['User agent', entry.userAgent ?? 'not given'],
          ['Authenticated by', <AuthenticatedBy key="signature" actor={entry.actor} />],
          ['Route', <code key="route">{`${entry.method} ${entry.route}`}</code>],
        ]}
      />
      <ApiExampleFold example={readAuditEvent(entry.id)} />
    </Stack>
  )
}

/** The request id as a link to all entries of the request, with a copy button. */
function RequestId({ id }: { id: string }) {
  const organizationId = useOrganizationId()
  return (
    <>
      <Link to="/o/$organizationId/audit-log" params={{ organizationId }} search={{ request: id }}>
        <code>{id}</code>
      </Link>{' '}
      <CopyButton value={id} what="request id" />
    </>
  )
}

const authenticationNames = {
  MEMBER_APIKEY: 'key',
  MEMBER_SESSION: 'console session',
  JWT: 'personal sign-in',
} as const

function AuthenticatedBy({ actor: { authType, keyPrefix, memberId } }: Pick<AuditEntry, 'actor'>) {
  return (
    <>
      {authenticationNames[authType]} {keyPrefix && <KeyText value={keyPrefix} max={16} />}
      {memberId && (
        <>
          {' '}
          of member <KeyText value={memberId} max={14} copy="member id" />
        </>
      )}
    </>
  )
}

/** A link to the page of the request's object, which may have been deleted since. */
function TargetLink({ target: { text, page } }: { target: AuditTarget }) {
  const organizationId = useOrganizationId()
  const shown = shortenMiddle(text, 60)
  if (!page) return shown
  // The router types each route's params separately; a target may be on any route.
  const to = { to: `/o/$organizationId/${page.to}`, params: { organizationId, ...page.params } } as LinkProps
  return <Link {...to}>{shown}</Link>
}

const revertible = { OVERRIDE: 'overrides:write', PLAN: 'plans:write', FEATURE: 'features:write' } as const

/** A link for reverting the change: to a draft on the page of the feature or plan, or to the history of the override. */
function RevertLink({ entry, target: { of, page } }: { entry: AuditEntry; target: AuditTarget }) {
  const organizationId = useOrganizationId()
  const type = 'type' in of && of.type in revertible ? (of.type as keyof typeof revertible) : null
  const may = useMay(type === null ? 'org:read' : revertible[type])
  const isUpdate = type === 'OVERRIDE' || entry.method === 'PATCH'
  if (!page || type === null || !may || !isUpdate || !('id' in of)) return null
  const feature = of.id?.slice(of.id.lastIndexOf('/') + 1)
  const to = {
    to: `/o/$organizationId/${page.to}`,
    params: { organizationId, ...page.params },
    search: type === 'OVERRIDE' ? { tab: 'history', of: feature } : { revert: entry.id },
  } as LinkProps
  return (
    <>
      {' · '}
      <Link {...to}>{type === 'OVERRIDE' ? 'Revert in its history' : 'Revert as a draft'}</Link>
    </>
  )
}

const route = getRouteApi('/o/$organizationId/audit-log')

/** Shows the entry whose id is in the page's address. */
export function EntryDrawer() {
  const { entry: id, parts } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useEntry(id)
  return (
    <Drawer
      opened={id !== undefined}
      onClose={() => void navigate({ search: (old) => ({ ...old, entry: undefined, parts: undefined }) })}
      title="Audit entry"
      size="xl"
    >
      <Loaded query={query} skeleton={<Skeleton height={240} />}>
        {({ auditEvent }) => <EntryDetails entry={auditEvent} parts={parts?.split(',') ?? []} />}
      </Loaded>
    </Drawer>
  )
}
