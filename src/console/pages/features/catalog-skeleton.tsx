import { Group, Skeleton } from '@mantine/core'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'

/** In the shape of the filters and the table. */
export function CatalogSkeleton() {
  return (
    <>
      <Group gap="xs" mb="sm">
        <Skeleton height={36} w={{ base: '100%', xs: 260 }} />
        <Skeleton height={36} w={{ base: '100%', xs: 280 }} />
      </Group>
      <TableSkeleton />
    </>
  )
}
