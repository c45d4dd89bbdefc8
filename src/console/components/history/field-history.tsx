import { Skeleton, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { FeatureHistoryDocument, type FieldChangeFragment, PlanHistoryDocument } from '../../generated/field-history.ts'
import { useOrganizationId } from '../../session/organization-id.ts'
import { type Pages, useOrganizationPages } from '../../session/queries.ts'
import { isTooLarge, toShownValue } from '../audit/details.ts'
import { HistoryLink } from '../audit/history.tsx'
import type { HistoryOf } from '../audit/history-of.ts'
import { FeatureName } from '../feature/feature-name.tsx'
import { Section } from '../page/section.tsx'
import { PagedList } from '../table/paged-list.tsx'
import { HistoryLine, HistoryLines, Sides, ValueSides } from './history-line.tsx'

/** A change of one field of a feature or a plan, or of one grant. */
type FieldChange = FieldChangeFragment

/** Renders a button, such as "Revert", for the changes that one save made. */
type Action = (changes: readonly FieldChange[]) => ReactNode
type Props = { of: { key: string; createdAt: string }; action: Action }

/** Lists the changes of a feature and of its grants on plans, newest first. */
export function FeatureFieldHistory({ of, action }: Props) {
  const { key, createdAt } = of
  const pages = useOrganizationPages(FeatureHistoryDocument, { key }, ({ feature }) => feature.history)
  return <FieldHistory of={{ type: 'FEATURE', id: key }} pages={pages} createdAt={createdAt} action={action} />
}

/** Lists the changes of a plan and of its grants, newest first. */
export function PlanFieldHistory({ of, action }: Props) {
  const { key, createdAt } = of
  const pages = useOrganizationPages(PlanHistoryDocument, { key }, ({ plan }) => plan.history)
  return <FieldHistory of={{ type: 'PLAN', id: key }} pages={pages} createdAt={createdAt} action={action} />
}

type HistoryProps = { of: HistoryOf; pages: Pages<FieldChange>; createdAt: string; action: Action }

function FieldHistory({ of, pages, createdAt, action }: HistoryProps) {
  const creation = <HistoryLine subject="Created" at={createdAt} />
  const none = <HistoryLines label="Changes">{creation}</HistoryLines>

  /** Renders the action for a save, but only if all changes of the save have been loaded. */
  function renderAction(change: FieldChange, changes: readonly FieldChange[]): ReactNode {
    const isCompletelyLoaded = !pages.hasMore || !isSameSave(change, changes.at(-1))
    return isCompletelyLoaded && action(changes.filter((other) => isSameSave(change, other)))
  }

  return (
    <Section title="History" description="Who changed it, newest first." actions={<HistoryLink of={of} />}>
      <PagedList pages={pages} skeleton={<Skeleton height={72} />} none={none} keepsRows>
        {(changes) => (
          <HistoryLines label="Changes">
            {changes.map((change, index) => (
              <HistoryLine
                key={change.id}
                subject={<Subject change={change} />}
                sides={<FieldSides change={change} />}
                cause={change.by ? `changed by ${change.by.displayName}` : 'changed'}
                note={change.note}
                at={change.at}
                action={!isSameSave(change, changes[index - 1]) && renderAction(change, changes)}
              />
            ))}
            {!pages.hasMore && creation}
          </HistoryLines>
        )}
      </PagedList>
    </Section>
  )
}

/** A save of several fields makes several changes with the same time. */
function isSameSave(one: FieldChange, other: FieldChange | undefined): boolean {
  return one.at === other?.at && one.by?.displayName === other.by?.displayName
}

/** Says what changed: a field, or a grant, by its feature on a plan's page and by its plan on a feature's page. */
function Subject({ change: { field, feature, plan } }: { change: FieldChange }) {
  const organizationId = useOrganizationId()
  if (plan !== null) {
    return (
      <>
        On plan{' '}
        <Link to="/o/$organizationId/plans/$planKey" params={{ organizationId, planKey: plan }}>
          {plan}
        </Link>
      </>
    )
  }
  return feature === null ? toFieldLabel(field) : <FeatureName featureKey={feature} />
}

/** "Value type" for "value_type". */
function toFieldLabel(field: string): string {
  const words = field.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function FieldSides({ change: { feature, from, to } }: { change: FieldChange }) {
  if (feature !== null) return <ValueSides from={toShownValue(from)} to={toShownValue(to)} />
  return <Sides from={<PlainText value={from} />} to={<PlainText value={to} />} />
}

function PlainText({ value }: { value: unknown }) {
  if (isTooLarge(value)) return <Text c="dimmed">too large to log</Text>
  if (value === null || value === '') return <Text c="dimmed">none</Text>
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? `“${value}”` : <code>{JSON.stringify(value)}</code>
}
