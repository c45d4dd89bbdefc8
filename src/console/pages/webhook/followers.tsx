import { Anchor, Skeleton, Text } from '@mantine/core'
import { Live } from '../../components/feedback/live.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Section } from '../../components/page/section.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { formatNumber } from '../../components/text/number.ts'
import { FollowersDocument, type FollowersQuery } from '../../generated/webhook.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { type EventBody, subjectOfEvent } from './webhook.ts'

const pollIntervalMs = 5000

/** The clients that follow changes without a webhook, and how soon the last change reached them. Refreshes itself. */
export function Followers() {
  const query = useOrganizationQuery(FollowersDocument, {}, { refetchInterval: pollIntervalMs })
  return (
    <Section
      title="Followers"
      description="Backends that read the change feed directly."
      actions={!query.error && <Live />}
    >
      <Loaded query={query} skeleton={<Skeleton height={22} />}>
        {({ followers }) => <FollowersText followers={followers} />}
      </Loaded>
    </Section>
  )
}

function FollowersText({ followers }: { followers: NonNullable<FollowersQuery['followers']> }) {
  const { count, lastChange, handedOutAt, delayMs } = followers
  const change = describeChange(lastChange as EventBody | null)
  const last = handedOutAt !== null && delayMs !== null && (
    <>
      {formatDelay(delayMs)} after it was stored, <Moment at={handedOutAt} />.
    </>
  )
  if (count === 0) {
    return (
      <Text>
        None connected.{' '}
        {last && (
          <>
            The last change ({change}) was sent {last}{' '}
          </>
        )}
        <HowToFollow />
      </Text>
    )
  }
  return (
    <Text>
      {formatNumber(count)} {count === 1 ? 'follower' : 'followers'}.{' '}
      {last ? (
        <>
          The last change ({change}) reached {count === 1 ? 'it' : 'them'} {last}
        </>
      ) : (
        'No change has gone out yet.'
      )}
    </Text>
  )
}

function HowToFollow() {
  return (
    <Anchor href="/docs/guides/changes" underline="always">
      How to follow them
    </Anchor>
  )
}

/** The type and the subject of a change, such as "entitlements.stale, acme". */
function describeChange(change: EventBody | null): string {
  if (change === null) return ''
  return [change.type, subjectOfEvent(change)].filter(Boolean).join(', ')
}

/** "8 ms", "1.4 s" or "3 min": a follower that was disconnected receives a change when it reconnects. */
function formatDelay(ms: number): string {
  if (ms < 1_000) return `${ms} ms`
  if (ms < 120_000) return `${(ms / 1_000).toFixed(1)} s`
  return `${formatNumber(Math.round(ms / 60_000))} min`
}
