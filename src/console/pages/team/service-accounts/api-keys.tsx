import { Text } from '@mantine/core'
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx'
import { Section } from '../../../components/page/section.tsx'
import { LoadMore } from '../../../components/table/load-more.tsx'
import { TableSkeleton } from '../../../components/table/table-skeleton.tsx'
import type { Account } from './account.ts'
import { KeyTable } from './key-table.tsx'
import { useApiKeys } from './use-api-keys.ts'

export function ApiKeys({ account }: { account: Account }) {
  const { nodes, query, ...more } = useApiKeys(account.serviceAccountId)
  return (
    <Section title="Keys" description="A key is shown once, when it is made. Here are the first characters of each.">
      {query.error && <ErrorPanel error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && !query.error && <TableSkeleton rows={2} />}
      {!query.isPending && !query.error && nodes.length === 0 && (
        <Text c="dimmed">No keys. The account can do nothing without one.</Text>
      )}
      {nodes.length > 0 && <KeyTable keys={nodes} serviceAccountId={account.serviceAccountId} />}
      <LoadMore {...more} />
    </Section>
  )
}
