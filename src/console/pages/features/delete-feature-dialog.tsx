import { List, Text } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { refresh, useOrganizationMutation } from '../../api/queries.ts'
import { request } from '../../api/request.ts'
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx'
import { toastDone } from '../../components/feedback/toast.tsx'
import { useOrganizationId } from '../../frame/use-organization-id.ts'
import { CreateFeatureDocument, DeleteFeatureDocument } from '../../generated/features.ts'
import type { Feature } from './feature.ts'
import { type GrantingPlan, useGrantingPlans } from './use-granting-plans.ts'

type Props = { feature: Feature; opened: boolean; onClose(): void }

export function DeleteFeatureDialog({ feature, opened, onClose }: Props) {
  const organizationId = useOrganizationId()
  const navigate = useNavigate()
  const remove = useOrganizationMutation(DeleteFeatureDocument)
  const plans = useGrantingPlans()?.get(feature.key) ?? []

  async function confirm(): Promise<void> {
    await remove.mutateAsync({ input: { key: feature.key } })
    await navigate({ to: '/o/$organizationId/features', params: { organizationId } })
    toastDone(`Feature ${feature.key} is deleted.`, () => createAgain(organizationId, feature))
  }

  return (
    <ConfirmDialog
      opened={opened}
      title={`Delete feature ${feature.key}`}
      action="Delete feature"
      onConfirm={confirm}
      onClose={onClose}
    >
      {plans.length > 0 ? (
        <PlansInTheWay plans={plans} />
      ) : (
        <Text>No plan grants it. Checks for {feature.key} are refused from then on.</Text>
      )}
    </ConfirmDialog>
  )
}

function PlansInTheWay({ plans }: { plans: readonly GrantingPlan[] }) {
  const organizationId = useOrganizationId()
  return (
    <div>
      <Text>It cannot be deleted while plans grant it. Remove it there first:</Text>
      <List size="sm" mt="xs">
        {plans.map(({ key, name }) => (
          <List.Item key={key}>
            <Link to="/o/$organizationId/plans/$planKey" params={{ organizationId, planKey: key }}>
              {name}
            </Link>
          </List.Item>
        ))}
      </List>
    </div>
  )
}

async function createAgain(organizationId: string, feature: Feature): Promise<void> {
  const { key, name, description, kind, valueType, options } = feature
  const input = { key, name, description, kind, ...(valueType && { valueType }), ...(options && { options }) }
  await request(CreateFeatureDocument, { input }, { organizationId })
  await refresh(organizationId)
}
