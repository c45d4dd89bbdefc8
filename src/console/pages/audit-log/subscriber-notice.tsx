import { Button, Group, Skeleton, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { isServerError } from '../../api/errors.ts'
import { useMemberNames } from '../../components/audit/use-names.ts'
import { toHeader, toLines } from '../../components/export/export-file.ts'
import { exportFileName } from '../../components/export/file-name.ts'
import { saveFile } from '../../components/export/save-file.ts'
import { toastFailed } from '../../components/feedback/toast.tsx'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { AuditLogCatalogDocument } from '../../generated/audit-log.ts'
import { SubscriberDocument } from '../../generated/subscribers.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { readRecord } from './read-record.ts'
import { recordColumns, toRecord } from './subscriber-record.ts'
import { toPeriod } from './to-filter.ts'

const route = getRouteApi('/o/$organizationId/audit-log')

/**
 * A notice for a log that is filtered by subscriber: it lists only direct changes, while the subscriber's history also has
 * changes through plans and features.
 */
export function SubscriberNotice({ subscriberId }: { subscriberId: string }) {
  const { organizationId } = route.useParams()
  const { data, error } = useOrganizationQuery(SubscriberDocument, { subscriberId })
  if (!data && !error) return <NoticeSkeleton />
  const isGone = isServerError(error, 'NOT_FOUND')
  const name = data?.subscriber.name ?? null
  const who = name === null ? subscriberId : `${shortenMiddle(name, 60)} (${subscriberId})`
  return (
    <Group justify="space-between" mb="sm" gap="xs" role="note">
      <Text>
        Changes made directly to {who}.{' '}
        {isGone ? (
          'It no longer exists, and its history was deleted with it.'
        ) : (
          <>
            Changes of plans and features that reached it are in its{' '}
            <Link
              to="/o/$organizationId/subscribers/$subscriberId"
              params={{ organizationId, subscriberId }}
              search={{ tab: 'history' }}
            >
              full history
            </Link>
            .
          </>
        )}
      </Text>
      {!isGone && <DownloadRecord subscriberId={subscriberId} name={name} isReady={data !== undefined} />}
    </Group>
  )
}

function NoticeSkeleton() {
  return (
    <div data-part>
      <Skeleton height={36} mb="sm" />
    </div>
  )
}

type Props = { subscriberId: string; name: string | null; isReady: boolean }

/** Downloads one file with all requests about the subscriber, including refused ones, and all changes that affected it. */
function DownloadRecord({ subscriberId, name, isReady }: Props) {
  const { organizationId } = route.useParams()
  const search = route.useSearch()
  const catalog = useOrganizationQuery(AuditLogCatalogDocument, {}).data
  const memberNames = useMemberNames()
  const reading = useRef<AbortController>(null)
  useEffect(() => () => reading.current?.abort(), [])

  const { mutate, isPending } = useMutation({
    async mutationFn() {
      const controller = new AbortController()
      reading.current = controller
      const period = toPeriod(search)
      const { signal } = controller
      const { entries, history } = await readRecord(subscriberId, period, { organizationId, signal })
      if (signal.aborted) return
      const rows = toRecord({ subscriberId, name }, { entries, history, period, memberNames, catalog })
      saveFile(
        `${exportFileName(['record', name, subscriberId], new Date())}.csv`,
        new Blob([toHeader('csv', recordColumns), toLines('csv', rows, recordColumns)], { type: 'text/csv' }),
      )
    },
    onError: toastFailed,
  })
  return (
    <Button variant="default" loading={isPending} disabled={!isReady || !catalog} onClick={() => mutate()}>
      Download both as CSV
    </Button>
  )
}
