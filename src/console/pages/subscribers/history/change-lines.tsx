import { Link } from '@tanstack/react-router'
import { FeatureName } from '../../../components/feature/feature-name.tsx'
import { HistoryLine, HistoryLines, type PastValue, ValueSides } from '../../../components/history/history-line.tsx'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { answeredValue } from '../features/explained.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import { type Change, describeCause, placeChanges } from './changes.ts'

/** Changes of a subscriber's entitlements, newest first. */
export function ChangeLines({ changes, label }: { changes: readonly Change[]; label: string }) {
  return (
    <HistoryLines label={label}>
      {placeChanges(changes).map((placed) => {
        const { change } = placed
        return (
          <HistoryLine
            key={change.id}
            subject={<Subject change={change} />}
            sides={change.feature !== null && <ValueSides from={toValue(change.from)} to={toValue(change.to)} />}
            cause={
              <>
                {describeCause(placed)} <Source change={change} />
              </>
            }
            note={change.note}
            at={change.at}
          />
        )
      })}
    </HistoryLines>
  )
}

function Subject({ change: { feature } }: { change: Change }) {
  return feature === null ? 'Subscriber' : <FeatureName featureKey={feature} />
}

/** A link to what the value came from then: the plan, or the override. */
function Source({ change: { cause, feature, plan } }: { change: Change }) {
  const organizationId = useOrganizationId()
  const { subscriberId } = useSubscriberSearch()
  if ((cause === 'PLAN' || cause === 'SUBSCRIPTION') && plan !== null) {
    return (
      <Link to="/o/$organizationId/plans/$planKey" params={{ organizationId, planKey: plan }}>
        Plan
      </Link>
    )
  }
  if ((cause !== 'OVERRIDE' && cause !== 'EXPIRY') || feature === null) return null
  return (
    <Link
      to="/o/$organizationId/subscribers/$subscriberId"
      params={{ organizationId, subscriberId }}
      search={{ feature }}
    >
      Override
    </Link>
  )
}

function toValue(side: Change['from']): PastValue {
  if (!side || side.tooLarge) return side ? 'TOO_LARGE' : null
  return side.entitlement ? answeredValue(side.entitlement) : null
}
