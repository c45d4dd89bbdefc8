import { ObjectHistory } from '../../components/audit/history.tsx'
import { valuesOf } from '../../components/form/fields.tsx'
import { FeatureFields } from '../../components/history/field-history.tsx'
import { formerValues, offerRevert } from '../../components/history/revert.tsx'
import { useMay } from '../../session/viewer.ts'
import { draftOf } from './edit-feature-form.tsx'
import { type Feature, featureFields } from './feature.ts'

type Props = { feature: Feature; onEdit(): void }

/** Who changed the feature, newest first. The form can be opened with former values. */
export function FeatureHistory({ feature, onEdit }: Props) {
  const { key, options } = feature
  const mayReadAuditLog = useMay('org:audit:read')
  const mayWrite = useMay('features:write')
  const editor = {
    current: mayWrite ? { ...valuesOf(featureFields, feature), ...(options && { options }) } : {},
    draft: draftOf(key),
    open: onEdit,
  }
  return mayReadAuditLog ? (
    <ObjectHistory
      of={{ type: 'FEATURE', id: key }}
      action={({ details }) => offerRevert(editor, formerValues(details))}
    />
  ) : (
    <FeatureFields objectKey={key} action={({ field, from }) => offerRevert(editor, [[field, from]])} />
  )
}
