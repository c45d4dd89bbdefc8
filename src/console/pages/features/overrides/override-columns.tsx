import { Text } from '@mantine/core'
import type { Column } from '../../../components/table/data-table.tsx'
import { EntitlementValue } from '../../../components/text/entitlement-value.tsx'
import { KeyText } from '../../../components/text/key-text.tsx'
import { Moment } from '../../../components/text/moment.tsx'
import { Note } from '../../../components/text/note.tsx'
import { overrideValue } from '../../../components/text/override-value.ts'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { StateBadge } from '../../../components/text/state-badge.tsx'
import { useNow } from '../../../components/text/use-now.ts'
import { isLive, type Override } from './override-row.ts'

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
  feature: { title: 'Feature', render: ({ feature }) => <KeyText value={feature} max={28} /> },
  value: { title: 'Value', render: (override) => <EntitlementValue {...overrideValue(override)} /> },
  state: { title: 'State', render: (override) => <State override={override} /> },
  ends: { title: 'Ends', render: ({ expiresAt }) => (expiresAt === null ? 'never' : <Moment at={expiresAt} />) },
  note: { title: 'Note', text: 'rest', render: ({ note }) => <Note text={note} /> },
  setBy: {
    title: 'Set by',
    text: 'line',
    render: ({ setBy }) => (setBy ? shortenMiddle(setBy.displayName, 24) : '—'),
  },
  changed: { title: 'Changed', align: 'right', render: ({ updatedAt }) => <Moment at={updatedAt} /> },
} satisfies Record<string, Column<Override>>

function State({ override }: { override: Override }) {
  const isInForce = isLive(override, useNow())
  return <StateBadge tone={isInForce ? 'good' : 'neutral'}>{isInForce ? 'live' : 'expired'}</StateBadge>
}
