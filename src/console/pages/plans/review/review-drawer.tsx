import { Button, Drawer, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx'
import { useIsSlow } from '../../../components/feedback/use-is-slow.ts'
import { DrawerActions } from '../../../components/form/drawer-actions.tsx'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { saveGrantsExample } from '../api-examples.ts'
import { joinNames, plural } from '../count.ts'
import { countChanges, type Draft, grantsAfterSave } from '../draft/draft.ts'
import { useReason } from '../draft/draft-store.ts'
import { describeInvalid, type InvalidCell } from '../draft/invalid-cells.ts'
import type { Plan } from '../plan.ts'
import { describeDraft } from './pending-bar.tsx'
import { PlanReview } from './plan-review.tsx'
import { ReasonInput } from './reason-input.tsx'
import classes from './review.module.css'
import type { PreviewOfPlan } from './use-previews.ts'
import type { useSaveDraft } from './use-save-draft.ts'

type Props = {
  opened: boolean
  onClose(): void
  /** Notices about colleagues' changes since the draft began. */
  notices: ReactNode
  draft: Draft
  plans: readonly Plan[]
  previews: ReadonlyMap<string, PreviewOfPlan>
  /** The plans where the person has to choose between their change and a colleague's. */
  contested: ReadonlySet<string>
  state: ReturnType<typeof useSaveDraft>
  invalid: readonly InvalidCell[]
  /** Whether the focus returns to its former element when the drawer closes. */
  returnFocus: boolean
  onOpen(cell: InvalidCell): void
  onDiscard(planKey: string): void
  onSave(): void
}

/** Shows all changes before they are saved, and afterwards the outcome for each plan. */
export function ReviewDrawer({ opened, onClose, returnFocus, ...content }: Props) {
  return (
    <Drawer opened={opened} onClose={onClose} title="Review changes" size="lg" returnFocus={returnFocus}>
      <Review {...content} />
    </Drawer>
  )
}

function Review({
  notices,
  draft,
  plans,
  previews,
  contested,
  state,
  invalid,
  onOpen,
  onDiscard,
  onSave,
}: Omit<Props, 'opened' | 'onClose' | 'returnFocus'>) {
  const { saved, error, isSaving, refusalOf } = state
  const isSlow = useIsSlow(isSaving)
  const reason = useReason(useOrganizationId())
  const drafted = plans.flatMap((plan) => {
    const planDraft = draft.get(plan.key)
    return planDraft ? [{ plan, planDraft }] : []
  })
  if (drafted.length === 0) {
    return (
      <EmptyState title="No changes">
        Edit a cell of the matrix; the change is shown here before it is saved.
      </EmptyState>
    )
  }
  return (
    <>
      {notices}
      {saved.length > 0 && (
        <Text role="status" c="var(--text-good)" mb="xs">
          {joinNames(saved)} {saved.length === 1 ? 'is' : 'are'} saved.{' '}
          {joinNames(drafted.map(({ plan }) => plan.name))} {drafted.length === 1 ? 'is' : 'are'} not:
        </Text>
      )}
      <Text c="dimmed">{describeDraft(draft, plans)}</Text>
      {drafted.map(({ plan, planDraft }) => (
        <PlanReview
          key={plan.key}
          plan={plan}
          preview={previews.get(plan.key)}
          refusal={refusalOf(plan.key, planDraft)}
          isContested={contested.has(plan.key)}
          example={saveGrantsExample(plan.key, grantsAfterSave(planDraft), reason)}
          onDiscard={() => onDiscard(plan.key)}
        />
      ))}
      {invalid.map((cell) => (
        <div key={`${cell.feature.key} ${cell.plan.key}`} role="alert" className={classes.invalid}>
          <span>{describeInvalid(cell)}</span>
          <Button size="compact-sm" variant="default" onClick={() => onOpen(cell)}>
            Go to the cell
          </Button>
        </div>
      ))}
      {error && <ErrorPanel error={error} />}
      <ReasonInput />
      <DrawerActions>
        <Button onClick={onSave} loading={isSlow} disabled={contested.size === draft.size}>
          Save {plural(countChanges(draft), 'change')}
        </Button>
      </DrawerActions>
    </>
  )
}
