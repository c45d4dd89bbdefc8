import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { AuditEntry } from '../../../components/audit/describe-entry.ts'
import { ObjectHistory } from '../../../components/audit/history.tsx'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useMay } from '../../../session/viewer.ts'
import { draftState } from '../draft/draft.ts'
import { updateDraft } from '../draft/draft-store.ts'
import { changedFeatures, type Grants, grantsOf, type Plan } from '../plan.ts'
import { stateBefore } from './earlier-state.ts'

/** Who changed the plan, newest first. An earlier state can become a draft. */
export function PlanHistory({ plan }: { plan: Plan }) {
  const organizationId = useOrganizationId()
  const navigate = useNavigate()
  const mayWrite = useMay('plans:write')
  const current = grantsOf(plan)

  function draftEarlier(state: Grants): void {
    updateDraft(organizationId, (draft) => draftState(draft, plan, state))
    void navigate({ to: '/o/$organizationId/plans', params: { organizationId }, search: { review: true } })
  }

  function offer(_entry: AuditEntry, newer: readonly AuditEntry[]) {
    const state = stateBefore(current, newer)
    if (!mayWrite || !state || changedFeatures(state, current).length === 0) return null
    return (
      <Button size="compact-sm" variant="default" onClick={() => draftEarlier(state)}>
        Restore as draft
      </Button>
    )
  }

  return <ObjectHistory of={{ type: 'PLAN', id: plan.key }} action={offer} />
}
