import { Skeleton } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { toFormValues } from '../../../components/form/fields.tsx'
import { storeDraft } from '../../../components/form/use-server-form.ts'
import {
  type FormerValue,
  findDifferingFields,
  RevertButton,
  useRevertOf,
} from '../../../components/history/revert.tsx'
import { lazyComponent } from '../../../frame/lazy-component.ts'
import { useMay } from '../../../session/viewer.ts'
import { changeCells } from '../draft/draft.ts'
import { updateDraft } from '../draft/draft-store.ts'
import { type Plan, planFields } from '../plan.ts'
import { draftOf } from './edit-plan-form.tsx'
import { formerGrants } from './former-grants.ts'

const PlanFieldHistory = lazyComponent(
  () => import('../../../components/history/field-history.tsx'),
  'PlanFieldHistory',
)

const route = getRouteApi('/o/$organizationId/plans/$planKey')

/** The changes of the plan, newest first. Reverting a change creates a draft with the former values. */
export function PlanHistory({ plan }: { plan: Plan }) {
  const { organizationId } = route.useParams()
  const { revert: entryId } = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMay('plans:write')
  // An address with `revert` is replaced, because going back to it would revert the change again.
  const replace = entryId !== undefined

  const differing = (former: readonly FormerValue[]) => ({
    fields: findDifferingFields(toFormValues(planFields, plan), former),
    grants: formerGrants(plan, former),
  })

  function revert(former: readonly FormerValue[]): void {
    const { fields, grants } = differing(former)
    if (fields.size > 0) storeDraft(draftOf(plan.key), Object.fromEntries(fields))
    if (grants.size > 0) {
      updateDraft(organizationId, (draft) => changeCells(draft, plan, grants))
      void navigate({ to: '/o/$organizationId/plans', search: { review: true }, replace })
    } else if (fields.size > 0) {
      void navigate({ search: { edit: true }, replace })
    } else {
      toastDone('There is nothing to revert: the plan is as it was before.')
    }
  }

  useRevertOf(mayWrite ? entryId : undefined, revert)

  function offerRevert(former: readonly FormerValue[]) {
    const { fields, grants } = differing(former)
    const count = fields.size + grants.size
    return mayWrite && count > 0 && <RevertButton count={count} onDraft={() => revert(former)} />
  }

  return (
    <Suspense fallback={<Skeleton height={120} />}>
      <PlanFieldHistory of={plan} action={offerRevert} />
    </Suspense>
  )
}
