import { Skeleton } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { toastDone } from '../../components/feedback/toast.tsx'
import { toFormValues } from '../../components/form/fields.tsx'
import { storeDraft } from '../../components/form/use-server-form.ts'
import { type FormerValue, findDifferingFields, RevertButton, useRevertOf } from '../../components/history/revert.tsx'
import { lazyComponent } from '../../frame/lazy-component.ts'
import { useMay } from '../../session/viewer.ts'
import { draftOf } from './edit-feature-form.tsx'
import { type Feature, featureFields } from './feature.ts'

const FeatureFieldHistory = lazyComponent(
  () => import('../../components/history/field-history.tsx'),
  'FeatureFieldHistory',
)

const route = getRouteApi('/o/$organizationId/features/$featureKey')

/** The changes of the feature, newest first. Reverting a change puts the former values into the edit form, as a draft. */
export function FeatureHistory({ feature }: { feature: Feature }) {
  const { key, options } = feature
  const { revert: entryId } = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMay('features:write')
  const current = { ...toFormValues(featureFields, feature), ...(options && { options }) }

  function revert(former: readonly FormerValue[]): void {
    const fields = findDifferingFields(current, former)
    if (fields.size > 0) {
      storeDraft(draftOf(key), Object.fromEntries(fields))
      // An address with `revert` is replaced, because going back to it would revert the change again.
      void navigate({ search: { edit: true }, replace: entryId !== undefined })
    } else {
      toastDone('There is nothing to revert: the feature is as it was before.')
    }
  }

  useRevertOf(mayWrite ? entryId : undefined, revert)

  function offerRevert(former: readonly FormerValue[]) {
    const { size } = findDifferingFields(current, former)
    return mayWrite && size > 0 && <RevertButton count={size} onDraft={() => revert(former)} />
  }

  return (
    <Suspense fallback={<Skeleton height={120} />}>
      <FeatureFieldHistory of={feature} action={offerRevert} />
    </Suspense>
  )
}
