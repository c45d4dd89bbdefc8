import { Button, Skeleton, Stack, Text, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { EntryList } from '../../components/audit/entry-list.tsx'
import { useEntryPages } from '../../components/audit/use-entries.ts'
import { PagedList } from '../../components/table/paged-list.tsx'

const route = getRouteApi('/o/$organizationId/audit-log')

/** Shows the subscribers that an import changed, and how. If the import was sent in parts, the newest part is first. */
export function ImportRows({ requestIds }: { requestIds: readonly string[] }) {
  return (
    <section aria-label="Changed subscribers">
      <Title order={2} mb="xs">
        Changed subscribers
      </Title>
      {requestIds.length > 1 && (
        <Text c="dimmed" mb="xs">{`The change was sent in ${requestIds.length} parts; this is the newest.`}</Text>
      )}
      <Stack gap="xs">
        {requestIds.map((requestId, index) => (
          <ImportPart key={requestId} requestId={requestId} number={requestIds.length - index} isFirst={index === 0} />
        ))}
      </Stack>
    </section>
  )
}

type Props = { requestId: string; number: number; isFirst: boolean }

function ImportPart({ requestId, number, isFirst }: Props) {
  const [isOpen, setOpen] = useState(isFirst)
  if (isOpen) return <Rows requestId={requestId} />
  return (
    <div>
      <Button variant="default" size="compact-sm" onClick={() => setOpen(true)}>{`Show part ${number}`}</Button>
    </div>
  )
}

function Rows({ requestId }: { requestId: string }) {
  const { parts: _, ...search } = route.useSearch()
  const pages = useEntryPages({ filter: { requestId, lines: true }, first: 50 })
  return (
    <PagedList pages={pages} skeleton={<Skeleton height={148} />} none={<Text c="dimmed">It changed nobody.</Text>}>
      {(entries) => <EntryList entries={entries} search={search} />}
    </PagedList>
  )
}
