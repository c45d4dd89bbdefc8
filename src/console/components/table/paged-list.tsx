import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Pages } from '../../session/queries.ts'
import { ErrorPanel } from '../feedback/error-panel.tsx'
import { FoundRows } from './found-rows.tsx'
import { TableSkeleton } from './table-skeleton.tsx'

type ListProps<Node> = {
  pages: Pages<Node>
  skeleton?: ReactNode
  /** Whether other data that the rows show is still loading. */
  isWaiting?: boolean
  /** Replaces a list without rows. */
  none: ReactNode
  /** What the list holds, such as "subscriber", for `FoundRows`. */
  noun?: string
  /** Whether a filter hides rows. */
  isFiltered?: boolean
  /** Whether rows stay visible below an error. */
  keepsRows?: boolean
  children(nodes: Node[]): ReactNode
}

/** Shows a list that is loaded page by page. Until its first page is loaded, shows the skeleton or the error. */
export function PagedList<Node>(props: ListProps<Node>) {
  const {
    pages,
    skeleton = <TableSkeleton />,
    isWaiting = false,
    none,
    noun,
    isFiltered = false,
    keepsRows = false,
    children,
  } = props
  const { nodes, query, ...more } = pages
  const { error } = query
  const isPending = query.isPending || isWaiting
  const showsRows = keepsRows || !error
  const found = isFiltered && !isPending && !error ? nodes.length : null
  return (
    <>
      {noun !== undefined && <FoundRows found={found} hasMore={more.hasMore} noun={noun} />}
      {error && <ErrorPanel error={error} retry={() => void query.refetch()} />}
      {isPending && !error && skeleton}
      {!isPending && !error && nodes.length === 0 && none}
      {showsRows && !isWaiting && nodes.length > 0 && children(nodes)}
      {showsRows && !isWaiting && <LoadMore {...more} />}
    </>
  )
}

type Props = { hasMore: boolean; isLoadingMore: boolean; loadMore(): void }

/** The button below a list that has more pages. */
export function LoadMore({ hasMore, isLoadingMore, loadMore }: Props) {
  if (!hasMore) return null
  return (
    <Group justify="center" py="md">
      <Button variant="default" loading={isLoadingMore} onClick={loadMore}>
        Show more
      </Button>
    </Group>
  )
}
