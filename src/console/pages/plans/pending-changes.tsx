import { useDebouncedValue } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { toastDone } from '../../components/feedback/toast.tsx'
import { type Draft, withoutPlans, withRestoredChanges } from './draft/draft.ts'
import { updateDraft, updateReason, updateUnfinished } from './draft/draft-store.ts'
import { type InvalidCell, withoutCells, withRestoredTexts } from './draft/invalid-cells.ts'
import type { Plan } from './plan.ts'
import { PendingBar } from './review/pending-bar.tsx'
import { ReviewDrawer } from './review/review-drawer.tsx'
import { usePreviews } from './review/use-previews.ts'
import { useSaveDraft } from './review/use-save-draft.ts'

const route = getRouteApi('/o/$organizationId/plans')

/** Long enough that typing a number sends one request. */
const previewAfterMs = 250

type Props = {
  draft: Draft
  plans: readonly Plan[]
  /** The plans where the person has to choose between their change and a colleague's. */
  contested: ReadonlySet<string>
  /** Notices about colleagues' changes since the draft began. */
  notices: ReactNode
  /** The cells with an invalid text. */
  invalid: readonly InvalidCell[]
  /** Whether the page is about to open one of the invalid cells. */
  isSeeking: boolean
  onOpen(cell: InvalidCell): void
  /** Called after changes were saved or discarded. */
  onSettled(): void
}

/** The bar below the matrix, and the review that it opens. */
export function PendingChanges({ draft, plans, contested, notices, invalid, isSeeking, onOpen, onSettled }: Props) {
  const { organizationId } = route.useParams()
  const isReviewing = route.useSearch().review === true
  const navigate = route.useNavigate()
  const [settledDraft] = useDebouncedValue(draft, previewAfterMs)
  const answers = usePreviews(organizationId, withoutPlans(settledDraft, contested))
  // An answer to an earlier draft of a plan says nothing about the present one.
  const previews = new Map([...answers].filter(([key]) => settledDraft.get(key) === draft.get(key)))
  const state = useSaveDraft(organizationId, draft)
  const review = (opened: boolean, replace = false) =>
    void navigate({ search: (old) => ({ ...old, review: opened || undefined }), replace })

  // A person who went to another page must not be brought back.
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])

  async function save(): Promise<void> {
    // A save must include all typed texts. If a cell has an invalid text, that cell is opened instead.
    if (invalid[0]) return onOpen(invalid[0])
    const isDone = await state.save(withoutPlans(draft, contested))
    if (isDone) onSettled()
    const needsReview = !isDone || contested.size > 0
    // Only while the person is on this page: otherwise, this navigation would cancel the loading of another page.
    if (isHere.current && needsReview !== isReviewing) review(needsReview, isReviewing)
  }

  function discard(keys: readonly string[]): void {
    const isLast = withoutPlans(draft, keys).size === 0
    const texts = updateUnfinished(organizationId, (old) => withoutCells(old, keys))
    updateDraft(organizationId, (old) => withoutPlans(old, keys))
    const reason = isLast ? updateReason(organizationId, () => '') : null
    onSettled()
    toastDone('The changes were discarded.', async () => {
      updateDraft(organizationId, (now) => withRestoredChanges(now, draft, keys))
      updateUnfinished(organizationId, (now) => withRestoredTexts(now, texts))
      if (reason !== null) updateReason(organizationId, (now) => now || reason)
    })
  }

  return (
    <>
      {(draft.size > 0 || invalid.length > 0) && (
        <PendingBar
          draft={draft}
          plans={plans}
          previews={previews}
          isContested={contested.size > 0}
          invalid={invalid}
          isSaving={state.isSaving}
          onDiscard={() => discard(plans.map(({ key }) => key))}
          onOpen={onOpen}
          onReview={() => review(true)}
          onSave={() => void save()}
        />
      )}
      <ReviewDrawer
        opened={isReviewing}
        notices={notices}
        onClose={() => review(false)}
        draft={draft}
        plans={plans}
        previews={previews}
        contested={contested}
        state={state}
        invalid={invalid}
        returnFocus={!isSeeking}
        onOpen={onOpen}
        onDiscard={(key) => discard([key])}
        onSave={() => void save()}
      />
    </>
  )
}
