import { Group, Text } from '@mantine/core'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx'
import { LoadMore } from '../../../components/table/load-more.tsx'
import { InviteTable } from './invite-table.tsx'
import { ShowInvites } from './show-invites.tsx'
import type { InviteList } from './use-invites.ts'

export function Invites({ invites, isShown, error, show, more, remove }: InviteList) {
  if (error) return <ErrorPanel error={error} retry={() => void show()} />
  if (!isShown) return <ShowInvites onShow={show} />
  if (invites.length === 0) {
    return (
      <EmptyState title="No invites are waiting">An invite is a link that lets one person join, for 7 days.</EmptyState>
    )
  }
  return (
    <>
      <InviteTable invites={invites} onRevoked={remove} />
      <LoadMore {...more} />
      <Group mt="xs">
        <Text c="dimmed" fz="0.8125rem">
          Only invites that still work are listed.
        </Text>
      </Group>
    </>
  )
}
