import { Text } from '@mantine/core'
import { FeatureName } from '../../../components/feature/feature-name.tsx'
import type { Column } from '../../../components/table/data-table.tsx'
import { EntitlementValue } from '../../../components/text/entitlement-value.tsx'
import { Moment } from '../../../components/text/moment.tsx'
import { Note } from '../../../components/text/note.tsx'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { OverrideState } from '../../../components/text/state-badge.tsx'
import { overrideValue } from '../../../components/text/value.ts'
import type { Override } from '../feature.ts'

/** The columns that lists of overrides share. */
export const columns = {
  subscriber: {
    title: 'Subscriber',
    render: ({ subscriberId, subscriber }) => (
      <>
        {shortenMiddle(subscriber?.name ?? subscriberId, 40)}
        {subscriber?.name && (
          <Text span c="dimmed" fz="0.8125rem" ml={8}>
            <code>{shortenMiddle(subscriberId, 24)}</code>
          </Text>
        )}
      </>
    ),
  },
  feature: { title: 'Feature', render: ({ feature }) => <FeatureName featureKey={feature} /> },
  value: { title: 'Value', card: 'beside', render: (override) => <EntitlementValue {...overrideValue(override)} /> },
  state: { title: 'State', card: 'below', render: (override) => <OverrideState {...override} /> },
  ends: { title: 'Expires', render: ({ expiresAt }) => (expiresAt === null ? 'never' : <Moment at={expiresAt} />) },
  note: {
    title: 'Note',
    text: 'rest',
    render: ({ note }) => <Note text={note} />,
    isUsual: ({ note }) => note === null,
  },
  setBy: {
    title: 'Set by',
    text: 'line',
    render: ({ setBy }) => (setBy ? shortenMiddle(setBy.displayName, 24) : '—'),
  },
  changed: { title: 'Changed', align: 'right', card: 'end', render: ({ updatedAt }) => <Moment at={updatedAt} /> },
} satisfies Record<string, Column<Override>>
