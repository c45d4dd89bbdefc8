import { Button } from '@mantine/core'
import { useState } from 'react'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { useSlow } from '../../../components/feedback/use-slow.ts'
import { PendingInvitesDocument } from '../../../generated/team.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'

/** Says how many invites wait. The count is not recorded; only looking at the links is. */
export function ShowInvites({ onShow }: { onShow(): Promise<unknown> }) {
  const pending = useOrganizationQuery(PendingInvitesDocument, {}).data?.counts.pendingInvites
  const [isRunning, setRunning] = useState(false)
  const isSlow = useSlow(isRunning)

  async function show(): Promise<void> {
    setRunning(true)
    await onShow()
    setRunning(false)
  }

  return (
    <EmptyState
      title={pending ? describeCount(pending) : 'Invites'}
      action={
        <Button variant="default" loading={isSlow} onClick={() => void show()}>
          Show invites
        </Button>
      }
    >
      The list shows live links. Whoever has one may join, so each look at it is recorded in the audit log.
    </EmptyState>
  )
}

function describeCount({ value, isExact }: { value: number; isExact: boolean }): string {
  if (value === 0) return 'No invites are waiting'
  if (value === 1) return '1 invite is waiting'
  return `${isExact ? '' : 'More than '}${value.toLocaleString('en')} invites are waiting`
}
