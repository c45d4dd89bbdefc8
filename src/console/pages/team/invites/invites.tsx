import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx'
import { useIsSlow } from '../../../components/feedback/use-is-slow.ts'
import { LoadMore } from '../../../components/table/paged-list.tsx'
import { PendingInvitesDocument } from '../../../generated/team.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { InviteTable } from './invite-table.tsx'
import type { InviteList } from './use-invites.ts'

export function Invites({ invites, isShown, error, show, more, remove }: InviteList) {
  if (error) return <ErrorPanel error={error} retry={() => void show()} />
  if (!isShown) return <RevealInvites onShow={show} />
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

/** Says how many invites are open. The audit log records who views the links, but not who reads this count. */
function RevealInvites({ onShow }: { onShow(): Promise<unknown> }) {
  const pending = useOrganizationQuery(PendingInvitesDocument, {}).data?.counts.pendingInvites
  const { mutate, isPending } = useMutation({ mutationFn: onShow })
  const isSlow = useIsSlow(isPending)

  return (
    <EmptyState
      title={pending ? describeCount(pending) : 'Invites'}
      action={
        <Button variant="default" loading={isSlow} onClick={() => mutate()}>
          Show invites
        </Button>
      }
    >
      The list shows working links. Anyone who has one can join, so each view of the list is recorded in the audit log.
    </EmptyState>
  )
}

function describeCount({ value, isExact }: { value: number; isExact: boolean }): string {
  if (value === 0) return 'No invites are waiting'
  if (value === 1) return '1 invite is waiting'
  return `${isExact ? '' : 'More than '}${value.toLocaleString('en')} invites are waiting`
}
