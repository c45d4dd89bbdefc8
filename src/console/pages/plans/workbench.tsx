import { Switch } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { toastDone } from '../../components/feedback/toast.tsx'
import { FilterBar } from '../../components/page/filter-bar.tsx'
import { SearchField } from '../../components/page/search-field.tsx'
import { useMay } from '../../frame/viewer.ts'
import { changeCell, type Draft, emptyDraft, withoutPlans } from './draft/draft.ts'
import { updateDraft } from './draft/draft-store.ts'
import { MeanwhileNotices } from './draft/meanwhile-notices.tsx'
import { chooseCell } from './draft/merge.ts'
import { useMergedDraft } from './draft/use-merged-draft.ts'
import { Matrix } from './matrix/matrix.tsx'
import { arrange } from './matrix/rows.ts'
import type { Feature, Plan } from './plan.ts'
import { PendingBar } from './review/pending-bar.tsx'
import { ReviewDrawer } from './review/review-drawer.tsx'
import { usePreviews } from './review/use-previews.ts'
import { useSaveDraft } from './review/use-save-draft.ts'

const route = getRouteApi('/o/$organizationId/plans')

/** Long enough that typing a number asks the server once. */
const previewAfterMs = 200

/** The matrix with its filter, the changes that are not saved, and what becomes of them. */
export function Workbench({ plans, features }: { plans: readonly Plan[]; features: readonly Feature[] }) {
  const { organizationId } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMay('plans:write')
  const { draft, merged, contested, forgetMerged } = useMergedDraft(organizationId, plans)
  const contestedKeys = new Set(contested.map(({ planKey }) => planKey))
  const savable = withoutPlans(draft, contestedKeys)
  const [settledDraft] = useDebouncedValue(draft, previewAfterMs)
  const previews = usePreviews(organizationId, withoutPlans(settledDraft, contestedKeys))
  const state = useSaveDraft(organizationId)
  const lines = useMemo(() => arrange(features, search.q), [features, search.q])
  const shown = useMemo(
    () => plans.filter(({ archivedAt, key }) => search.archived || archivedAt === null || draft.has(key)).reverse(),
    [plans, search.archived, draft],
  )
  const setSearch = (patch: typeof search, replace = false) =>
    void navigate({ search: (old) => ({ ...old, ...patch }), replace })

  async function save(): Promise<void> {
    const isDone = await state.save(savable)
    if (isDone && contestedKeys.size === 0) setSearch({ review: undefined }, true)
    else setSearch({ review: true }, search.review === true)
  }

  function discard(next: Draft): void {
    updateDraft(organizationId, () => next)
    toastDone('The changes are discarded.', async () => updateDraft(organizationId, () => draft))
  }

  return (
    <>
      <FilterBar>
        <SearchField
          label="Filter by key or name"
          value={search.q ?? ''}
          onChange={(text) => setSearch({ q: text || undefined }, true)}
        />
        {plans.some(({ archivedAt }) => archivedAt !== null) && (
          <Switch
            label="Show archived plans"
            checked={search.archived === true}
            onChange={(event) => setSearch({ archived: event.currentTarget.checked || undefined }, true)}
          />
        )}
      </FilterBar>
      <MeanwhileNotices
        merged={merged}
        contested={contested}
        plans={plans}
        features={features}
        onForget={forgetMerged}
        onChoose={(planKey, feature, choice) => {
          const plan = plans.find(({ key }) => key === planKey)
          if (plan) updateDraft(organizationId, (old) => chooseCell(old, plan, feature, choice))
        }}
      />
      {lines.features.length === 0 ? (
        <EmptyState title="No feature matches">Change the filter to see more of them.</EmptyState>
      ) : (
        <Matrix
          organizationId={organizationId}
          lines={lines}
          plans={shown}
          draft={draft}
          mayWrite={mayWrite}
          onChange={(plan, feature, value) =>
            updateDraft(organizationId, (old) => changeCell(old, plan, feature, value))
          }
        />
      )}
      {draft.size > 0 && (
        <PendingBar
          draft={draft}
          plans={plans}
          previews={previews}
          isCurrent={settledDraft === draft}
          isContested={contested.length > 0}
          isSaving={state.isSaving}
          onDiscard={() => discard(emptyDraft)}
          onReview={() => setSearch({ review: true })}
          onSave={() => void save()}
        />
      )}
      <ReviewDrawer
        opened={search.review === true}
        onClose={() => setSearch({ review: undefined })}
        draft={draft}
        plans={plans}
        previews={previews}
        contested={contestedKeys}
        state={state}
        onDiscard={(key) => discard(withoutPlans(draft, [key]))}
        onSave={() => void save()}
      />
    </>
  )
}
