import { Skeleton } from '@mantine/core'
import { Suspense } from 'react'
import { ObjectHistory } from '../../components/audit/history.tsx'
import { valuesOf } from '../../components/form/fields.tsx'
import { formerValues, offerRevert } from '../../components/history/revert.tsx'
import { lazyComponent } from '../../frame/lazy-component.ts'
import { useMay } from '../../session/viewer.ts'
import { draftOf } from './edit-feature-form.tsx'
import { type Feature, featureFields } from './feature.ts'

const FeatureFields = lazyComponent(() => import('../../components/history/field-history.tsx'), 'FeatureFields')

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
    <Suspense fallback={<Skeleton height={120} />}>
      <FeatureFields of={feature} action={({ field, from }) => offerRevert(editor, [[field, from]])} />
    </Suspense>
  )
}
