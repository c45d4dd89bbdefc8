import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx'
import { toastDone, toastFailed } from '../../../components/feedback/toast.tsx'
import { useIsSlow } from '../../../components/feedback/use-is-slow.ts'
import { type MemberStatus, UpdateMemberDocument } from '../../../generated/team.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import { useViewer } from '../../../session/viewer.ts'
import { disableMemberExample } from '../api-examples.ts'

type Props = { member: { memberId: string; displayName: string; status: MemberStatus; updatedAt: string } }

/** Disables a member at once, with Undo; people who disable themselves are asked first. */
export function StatusButton({ member: { memberId, displayName, status, updatedAt } }: Props) {
  const viewer = useViewer()
  const write = useOrganizationWrite()
  const update = useMutation({ mutationFn: change, onError: toastFailed })
  const isSlow = useIsSlow(update.isPending)
  const [isAsking, setAsking] = useState(false)
  const next = status === 'ACTIVE' ? 'DISABLED' : 'ACTIVE'
  const isViewer = viewer?.member?.memberId === memberId

  async function change(): Promise<void> {
    await write(UpdateMemberDocument, { input: { memberId, status: next, expectedUpdatedAt: updatedAt } })
    if (isViewer) return
    toastDone(`${displayName} is ${next === 'ACTIVE' ? 'enabled' : 'disabled'}.`, () =>
      write(UpdateMemberDocument, { input: { memberId, status } }),
    )
  }

  return (
    <>
      <Button variant="default" loading={isSlow} onClick={() => (isViewer ? setAsking(true) : update.mutate())}>
        {next === 'ACTIVE' ? 'Enable' : 'Disable'}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title="Disable yourself"
        action="Disable myself"
        example={disableMemberExample(memberId)}
        onConfirm={change}
        onClose={() => setAsking(false)}
      >
        <Text>You lose access to this organization at once. Only another admin can enable you again.</Text>
      </ConfirmDialog>
    </>
  )
}
