import { Button, Group } from '@mantine/core'

type Props = { hasMore: boolean; isLoadingMore: boolean; loadMore(): void }

/** Below a list of pages. */
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
