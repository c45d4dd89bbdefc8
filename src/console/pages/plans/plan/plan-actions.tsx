import { Button, Menu } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { DeleteItem, PageApiMenu } from '../../../components/api/use-the-api.tsx'
import { toastDone, toastFailed } from '../../../components/feedback/toast.tsx'
import { EditIcon } from '../../../components/icons/actions.tsx'
import { ArchivePlanDocument, UnarchivePlanDocument } from '../../../generated/plans.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'
import { readPlan } from '../api-examples.ts'
import { describeSubscribers } from '../count.ts'
import type { Plan } from '../plan.ts'
import { DeletePlanDialog } from './delete-plan-dialog.tsx'

export function PlanActions({ plan, onEdit }: { plan: Plan; onEdit(): void }) {
  const organizationId = useOrganizationId()
  const write = useOrganizationWrite()
  const mayWrite = useMay('plans:write')
  const [isDeleting, setDeleting] = useState(false)

  const archives = plan.archivedAt === null
  const toggle = useMutation({ mutationFn: change, onError: toastFailed })

  /**
   * Shows the toast here, not in `onSuccess`: before this ends, the page may render the plan's new state, and then `onSuccess`
   * would describe that state.
   */
  async function change(): Promise<void> {
    await setArchived(archives)
    toastDone(describeArchived(plan, archives), () => setArchived(!archives))
  }

  function setArchived(to: boolean): Promise<unknown> {
    const document = to ? ArchivePlanDocument : UnarchivePlanDocument
    return write<unknown, { input: { key: string } }>(document, { input: { key: plan.key } })
  }

  return (
    <>
      <PageApiMenu
        title="Reads this plan"
        example={readPlan(plan.key)}
        items={
          mayWrite && (
            <>
              <Menu.Item onClick={onEdit}>Rename</Menu.Item>
              <Menu.Item disabled={toggle.isPending} onClick={() => toggle.mutate()}>
                {plan.archivedAt ? 'Unarchive' : 'Archive'}
              </Menu.Item>
              <DeleteItem onClick={() => setDeleting(true)} />
            </>
          )
        }
      />
      {mayWrite && (
        <>
          <Button
            leftSection={<EditIcon size={16} />}
            renderRoot={(props) => (
              <Link
                to="/o/$organizationId/plans"
                params={{ organizationId }}
                search={{ archived: plan.archivedAt ? true : undefined }}
                {...props}
              />
            )}
          >
            Change grants
          </Button>
          <DeletePlanDialog plan={plan} opened={isDeleting} onClose={() => setDeleting(false)} />
        </>
      )}
    </>
  )
}

function describeArchived({ key, subscriberCount }: Plan, archives: boolean): string {
  if (!archives) return `Plan ${key} takes new subscriptions again.`
  const keep =
    subscriberCount && subscriberCount.value > 0 ? ` ${describeSubscribers(subscriberCount)} stay on it.` : ''
  return `Plan ${key} is archived: it takes no new subscriptions.${keep}`
}
