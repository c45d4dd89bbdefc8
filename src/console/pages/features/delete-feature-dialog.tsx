import { useNavigate } from '@tanstack/react-router'
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx'
import { toastDone } from '../../components/feedback/toast.tsx'
import { toFormValues, toInput } from '../../components/form/fields.tsx'
import { CreateFeatureDocument, DeleteFeatureDocument } from '../../generated/features.ts'
import { useOrganizationId } from '../../session/organization-id.ts'
import { useOrganizationWrite } from '../../session/queries.ts'
import { deleteFeatureExample } from './api-examples.ts'
import { DeletionBlockers } from './deletion-blockers.tsx'
import { type Feature, featureFields } from './feature.ts'

type Props = { feature: Feature; opened: boolean; onClose(): void }

export function DeleteFeatureDialog({ feature, opened, onClose }: Props) {
  const organizationId = useOrganizationId()
  const navigate = useNavigate()
  const write = useOrganizationWrite()

  async function confirm(): Promise<void> {
    await write(DeleteFeatureDocument, { input: { key: feature.key } })
    await navigate({ to: '/o/$organizationId/features', params: { organizationId } })
    toastDone(`Feature ${feature.key} was deleted.`, () =>
      write(CreateFeatureDocument, { input: toCreateInput(feature) }),
    )
  }

  return (
    <ConfirmDialog
      opened={opened}
      title={`Delete feature ${feature.key}`}
      action="Delete feature"
      example={deleteFeatureExample(feature.key)}
      onConfirm={confirm}
      onClose={onClose}
    >
      {opened && <DeletionBlockers featureKey={feature.key} />}
    </ConfirmDialog>
  )
}

function toCreateInput(feature: Feature) {
  const { key, kind, valueType, options, position } = feature
  const values = toInput(featureFields, toFormValues(featureFields, feature))
  return { key, kind, ...values, position, ...(valueType && { valueType }), ...(options && { options }) }
}
