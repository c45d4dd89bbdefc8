import { Text } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { toFormValues, toInput } from '../../../components/form/fields.tsx'
import { CreatePlanDocument, DeletePlanDocument } from '../../../generated/plans.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import { deletePlanExample } from '../api-examples.ts'
import { describeSubscribers } from '../count.ts'
import { grantsOf, type Plan, planFields, toGrantInputs } from '../plan.ts'

type Props = { plan: Plan; opened: boolean; onClose(): void }

export function DeletePlanDialog({ plan, opened, onClose }: Props) {
  const organizationId = useOrganizationId()
  const navigate = useNavigate()
  const write = useOrganizationWrite()

  async function confirm(): Promise<void> {
    const { key, kind, position } = plan
    await write(DeletePlanDocument, { input: { key } })
    await navigate({ to: '/o/$organizationId/plans', params: { organizationId } })
    const input = {
      key,
      kind,
      position,
      ...toInput(planFields, toFormValues(planFields, plan)),
      grants: toGrantInputs(grantsOf(plan)),
    }
    toastDone(`Plan ${key} was deleted.`, () => write(CreatePlanDocument, { input }))
  }

  return (
    <ConfirmDialog
      opened={opened}
      title={`Delete plan ${plan.key}`}
      action="Delete plan"
      example={deletePlanExample(plan.key)}
      onConfirm={confirm}
      onClose={onClose}
    >
      <DeletionBlockers plan={plan} />
    </ConfirmDialog>
  )
}

function DeletionBlockers({ plan }: { plan: Plan }) {
  const { subscriberCount } = plan
  const organizationId = useOrganizationId()
  if (subscriberCount?.value === 0) {
    return (
      <Text>Nobody is on it now. A plan that has ever had a subscriber cannot be deleted: archive it instead.</Text>
    )
  }
  return (
    <Text>
      It cannot be deleted, since{' '}
      <Link to="/o/$organizationId/subscribers" params={{ organizationId }} search={{ plan: plan.key }}>
        {subscriberCount ? describeSubscribers(subscriberCount) : 'subscribers'}
      </Link>{' '}
      {subscriberCount?.isExact && subscriberCount.value === 1 ? 'is' : 'are'} on it. Archive it instead, so that it
      takes no new subscriptions.
    </Text>
  )
}
