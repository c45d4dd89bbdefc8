import { Button, Skeleton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { AuditEntry } from '../../../components/audit/describe-entry.ts'
import { ObjectHistory } from '../../../components/audit/history.tsx'
import { valuesOf } from '../../../components/form/fields.tsx'
import type { FieldChange } from '../../../components/history/field-history.tsx'
import { formerValues, offerRevert, RevertButton } from '../../../components/history/revert.tsx'
import { isSameValue } from '../../../components/text/value.ts'
import { lazyComponent } from '../../../frame/lazy-component.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useMay } from '../../../session/viewer.ts'
import { changeCell, type Draft, draftState } from '../draft/draft.ts'
import { updateDraft } from '../draft/draft-store.ts'
import { changedFeatures, grantsOf, type Plan, planFields } from '../plan.ts'
import { earlierGrant, stateBefore } from './earlier-state.ts'
import { draftOf } from './edit-plan-form.tsx'

const PlanFields = lazyComponent(() => import('../../../components/history/field-history.tsx'), 'PlanFields')

type Props = { plan: Plan; onEdit(): void }

/** Who changed the plan, newest first. An earlier state, name or grant can become a draft. */
export function PlanHistory({ plan, onEdit }: Props) {
  const mayReadAuditLog = useMay('org:audit:read')
  const mayWrite = useMay('plans:write')
  const draftGrants = useDraftGrants()
  const current = grantsOf(plan)
  const editor = { current: mayWrite ? valuesOf(planFields, plan) : {}, draft: draftOf(plan.key), open: onEdit }

  function offerState({ details }: AuditEntry, newer: readonly AuditEntry[]) {
    const state = stateBefore(current, newer)
    if (!mayWrite || !state || changedFeatures(state, current).length === 0)
      return offerRevert(editor, formerValues(details))
    return (
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => draftGrants((draft) => draftState(draft, plan, state))}
      >
        Restore as draft
      </Button>
    )
  }

  function offerField({ feature, field, from }: FieldChange) {
    if (feature === null) return offerRevert(editor, [[field, from]])
    const grant = earlierGrant(from)
    if (!mayWrite || grant === undefined || isSameValue(grant, current.get(feature) ?? null)) return null
    return <RevertButton onDraft={() => draftGrants((draft) => changeCell(draft, plan, feature, grant))} />
  }

  return mayReadAuditLog ? (
    <ObjectHistory of={{ type: 'PLAN', id: plan.key }} action={offerState} />
  ) : (
    <Suspense fallback={<Skeleton height={120} />}>
      <PlanFields of={plan} action={offerField} />
    </Suspense>
  )
}

/** Changes the draft of the plans, and opens its review. */
function useDraftGrants() {
  const organizationId = useOrganizationId()
  const navigate = useNavigate()
  return (change: (draft: Draft) => Draft) => {
    updateDraft(organizationId, change)
    void navigate({ to: '/o/$organizationId/plans', params: { organizationId }, search: { review: true } })
  }
}
