import { Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { FeatureHistoryDocument, type FieldChangeFragment, PlanHistoryDocument } from '../../generated/field-history.ts'
import { type Pages, useOrganizationPages } from '../../session/queries.ts'
import { isTooLarge, toShown } from '../audit/details.ts'
import { FeatureName } from '../feature/feature-name.tsx'
import { Section } from '../page/section.tsx'
import { PagedList } from '../table/paged-list.tsx'
import { HistoryLine, HistoryLines, Sides, ValueSides } from './history-line.tsx'

/** A change of one field of a feature or a plan, or of one grant. */
export type FieldChange = FieldChangeFragment

type Action = (change: FieldChange) => ReactNode
type Props = { of: { key: string; createdAt: string }; action: Action }

const nothing = { nodes: [], pageInfo: { endCursor: null, hasNextPage: false } }

/** How a feature changed, for those who may not read the audit log. */
export function FeatureFields({ of, action }: Props) {
  const { key, createdAt } = of
  const pages = useOrganizationPages(FeatureHistoryDocument, { key }, ({ feature }) => feature.history ?? nothing)
  return <FieldHistory pages={pages} createdAt={createdAt} action={action} />
}

/** How a plan and its grants changed, for those who may not read the audit log. */
export function PlanFields({ of, action }: Props) {
  const { key, createdAt } = of
  const pages = useOrganizationPages(PlanHistoryDocument, { key }, ({ plan }) => plan.history ?? nothing)
  return <FieldHistory pages={pages} createdAt={createdAt} action={action} />
}

type HistoryProps = { pages: Pages<FieldChange>; createdAt: string; action: Action }

function FieldHistory({ pages, createdAt, action }: HistoryProps) {
  const creation = <HistoryLine subject="Created" at={createdAt} />
  const none = <HistoryLines label="Changes">{creation}</HistoryLines>
  return (
    <Section title="History" description="Who changed it, newest first.">
      <PagedList pages={pages} skeleton={<Skeleton height={72} />} none={none} keepsRows>
        {(changes) => (
          <HistoryLines label="Changes">
            {changes.map((change) => (
              <HistoryLine
                key={change.id}
                subject={change.feature === null ? wordOf(change.field) : <FeatureName featureKey={change.feature} />}
                sides={<FieldSides change={change} />}
                cause={change.by ? `changed by ${change.by.displayName}` : 'changed'}
                note={change.note}
                at={change.at}
                action={action(change)}
              />
            ))}
            {!pages.hasMore && creation}
          </HistoryLines>
        )}
      </PagedList>
    </Section>
  )
}

/** "value_type" as "Value type" */
function wordOf(field: string): string {
  const words = field.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function FieldSides({ change: { feature, from, to } }: { change: FieldChange }) {
  if (feature !== null) return <ValueSides from={toShown(from)} to={toShown(to)} />
  return <Sides from={<PlainText value={from} />} to={<PlainText value={to} />} />
}

function PlainText({ value }: { value: unknown }) {
  if (isTooLarge(value)) return <Text c="dimmed">too large to log</Text>
  if (value === null || value === '') return <Text c="dimmed">none</Text>
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? `“${value}”` : <code>{JSON.stringify(value)}</code>
}
