import { Switch } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { sortByPosition, sortPlans } from '../../components/order/by-position.ts'
import { AddressSearch, FilterBar } from '../../components/page/filters.tsx'
import { FoundRows } from '../../components/table/found-rows.tsx'
import { useMay } from '../../session/viewer.ts'
import { ColleagueChanges } from './draft/colleague-changes.tsx'
import { changeCell, type Draft } from './draft/draft.ts'
import { updateDraft, updateUnfinished, useUnfinished } from './draft/draft-store.ts'
import { type InvalidCell, listInvalid, withText } from './draft/invalid-cells.ts'
import { resolveConflict } from './draft/merge.ts'
import { useMergedDraft } from './draft/use-merged-draft.ts'
import { Matrix } from './matrix/matrix.tsx'
import { groupByKind } from './matrix/rows.ts'
import { DragArea } from './order/drag-area.tsx'
import { MovesContext, useMoves } from './order/use-moves.ts'
import { PendingChanges } from './pending-changes.tsx'
import type { Feature, Plan } from './plan.ts'

const route = getRouteApi('/o/$organizationId/plans')

/** The matrix with its filter, the unsaved changes and their review. */
export function Workbench({ plans, features }: { plans: readonly Plan[]; features: readonly Feature[] }) {
  const { organizationId } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMay('plans:write')
  const { draft, merged, contested, forgetMerged } = useMergedDraft(organizationId, plans)
  const unfinished = useUnfinished(organizationId)
  const [sought, setSought] = useState<InvalidCell | null>(null)
  const lines = useMemo(() => groupByKind(sortByPosition(features), search.q), [features, search.q])
  const moves = useMoves(organizationId)
  const mayMove = useMay('features:write') && mayWrite && !search.q
  const shown = useShownPlans(plans, draft, search.archived === true)
  const setSearch = (patch: { [Name in keyof typeof search]?: (typeof search)[Name] | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...patch }), replace: true })

  /** Closes the review, resets the filter if it hides the cell, and opens the cell. */
  function openCell(cell: InvalidCell): void {
    setSought(cell)
    const q = lines.features.includes(cell.feature) ? search.q : undefined
    setSearch({ q, archived: cell.plan.archivedAt ? true : search.archived, review: undefined })
  }

  const choose = (plan: Plan, feature: string, choice: Parameters<typeof resolveConflict>[3]) =>
    updateDraft(organizationId, (old) => resolveConflict(old, plan, feature, choice))
  const notices = (
    <ColleagueChanges {...{ merged, contested, plans, features }} onForget={forgetMerged} onChoose={choose} />
  )

  return (
    <>
      <FilterBar>
        <AddressSearch
          label="Filter by key or name"
          value={search.q ?? ''}
          onSearch={(text) => setSearch({ q: text || undefined })}
        />
        <ArchivedSwitch
          plans={plans}
          isOn={search.archived === true}
          onSwitch={(archived) => setSearch({ archived })}
        />
      </FilterBar>
      <FoundRows found={search.q === undefined ? null : lines.features.length} noun="feature" />
      {search.review !== true && notices}
      {lines.features.length === 0 ? (
        <EmptyState title="No feature matches">Change the filter to see more.</EmptyState>
      ) : (
        <MovesContext value={mayMove ? moves : null}>
          <DragArea>
            <Matrix
              organizationId={organizationId}
              lines={lines}
              plans={shown}
              draft={draft}
              unfinished={unfinished}
              mayWrite={mayWrite}
              onChange={(plan, feature, value) =>
                updateDraft(organizationId, (old) => changeCell(old, plan, feature, value))
              }
              onKeep={(cell, text) => updateUnfinished(organizationId, (old) => withText(old, cell, text))}
              sought={sought}
              onFound={() => setSought(null)}
            />
          </DragArea>
        </MovesContext>
      )}
      <PendingChanges
        draft={draft}
        plans={plans}
        contested={new Set(contested.map(({ planKey }) => planKey))}
        notices={notices}
        invalid={listInvalid(unfinished, features, plans)}
        isSeeking={sought !== null}
        onOpen={openCell}
        onSettled={forgetMerged}
      />
    </>
  )
}

type SwitchProps = { plans: readonly Plan[]; isOn: boolean; onSwitch(isOn: true | undefined): void }

/** A switch that shows or hides archived plans; absent if no plan is archived. */
function ArchivedSwitch({ plans, isOn, onSwitch }: SwitchProps) {
  if (plans.every(({ archivedAt }) => archivedAt === null)) return null
  return (
    <Switch
      label="Show archived plans"
      checked={isOn}
      onChange={(event) => onSwitch(event.currentTarget.checked || undefined)}
    />
  )
}

/** The plans in the order of the columns: archived ones only if `withArchived` or with unsaved changes. */
function useShownPlans(plans: readonly Plan[], draft: Draft, withArchived: boolean): Plan[] {
  // The memo depends on a string, not on the draft, so that the matrix does not render all its rows after each change.
  const archivedInDraft = plans
    .filter(({ archivedAt, key }) => archivedAt !== null && draft.has(key))
    .map(({ key }) => key)
    .join(' ')
  return useMemo(() => {
    const drafted = archivedInDraft.split(' ')
    return sortPlans(
      plans.filter(({ archivedAt, key }) => withArchived || archivedAt === null || drafted.includes(key)),
    )
  }, [plans, withArchived, archivedInDraft])
}
