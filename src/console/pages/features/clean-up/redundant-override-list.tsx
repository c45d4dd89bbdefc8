import { Button, Group, Text } from '@mantine/core'
import { useIsLoadingFeatureNames } from '../../../components/feature/feature-name.tsx'
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx'
import { TableSkeleton } from '../../../components/table/table-skeleton.tsx'
import { KeyText } from '../../../components/text/key-text.tsx'
import { type Count, describeCount, formatNumber } from '../../../components/text/number.ts'
import { CleanUpCountsDocument } from '../../../generated/features.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { columns } from '../overrides/override-columns.tsx'
import { cleanUpLists } from './clean-up-lists.ts'
import { RemovableTable } from './removable-table.tsx'
import { type RedundantOverride, useRedundantOverrides } from './use-redundant-overrides.ts'

const sameAs = {
  title: 'Same as',
  text: 'line' as const,
  render: ({ planKey }: RedundantOverride) => (planKey === null ? 'no grant' : <KeyText value={planKey} max={24} />),
}

/** Overrides that repeat what the subscriber would have anyway, and how many overrides were compared. */
export function RedundantOverrideList() {
  const { subscriber, feature, value, ends, note, setBy } = columns
  const { found, isPending, error, retry, comparedCount, isComparing, hasMore, compareMore } = useRedundantOverrides()
  const total = useOrganizationQuery(CleanUpCountsDocument, {}).data?.counts.liveOverrides
  const isWaiting = useIsLoadingFeatureNames()
  if (error) return <ErrorPanel error={error} retry={retry} />
  if (isPending || isWaiting) return <TableSkeleton />
  return (
    <>
      {found.length > 0 && (
        <RemovableTable
          label="Overrides that repeat the plan"
          rows={found}
          columns={[subscriber, feature, value, sameAs, ends, note, setBy]}
        />
      )}
      {found.length === 0 && !isComparing && (
        <Text>{comparedCount === 0 ? 'There are no live overrides.' : cleanUpLists.repeats.none}</Text>
      )}
      <Group mt="sm" gap="md">
        <Text c="dimmed" role="status">
          {describeProgress(comparedCount, hasMore, total ?? null)}
        </Text>
        {hasMore && (
          <Button size="compact-sm" variant="default" loading={isComparing} onClick={compareMore}>
            Compare more
          </Button>
        )}
      </Group>
    </>
  )
}

function describeProgress(comparedCount: number, hasMore: boolean, total: Count | null): string {
  if (!hasMore) return comparedCount === 0 ? '' : `Compared all live overrides: ${formatNumber(comparedCount)}.`
  const all = total ? ` of ${describeCount(total)}` : ''
  return `Compared the first ${formatNumber(comparedCount)}${all} live overrides.`
}
