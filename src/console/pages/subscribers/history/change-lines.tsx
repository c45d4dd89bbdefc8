import { Link } from '@tanstack/react-router'
import { FeatureName } from '../../../components/feature/feature-name.tsx'
import { storeDraft } from '../../../components/form/use-server-form.ts'
import { toValueText } from '../../../components/form/value-text.ts'
import {
  type Change,
  type ChangeWithPrevious,
  describeCause,
  withPreviousChange,
} from '../../../components/history/changes.ts'
import { HistoryLine, HistoryLines, type PastValue, ValueSides } from '../../../components/history/history-line.tsx'
import { RevertButton } from '../../../components/history/revert.tsx'
import { valueOfAnswer } from '../../../components/text/value.ts'
import { CatalogNamesDocument } from '../../../generated/explanation.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'
import { draftOf } from '../features/override-input.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'

type Props = {
  changes: readonly Change[]
  label: string
  /** Whether the changes of overrides can be reverted. */
  mayRevert?: boolean
}

/** Changes of a subscriber's entitlements, newest first. */
export function ChangeLines({ changes, label, mayRevert = false }: Props) {
  return (
    <HistoryLines label={label}>
      {withPreviousChange(changes).map((placed) => {
        const { change } = placed
        return (
          <HistoryLine
            key={change.id}
            subject={<Subject change={change} />}
            sides={change.feature !== null && <ValueSides from={toValue(change.from)} to={toValue(change.to)} />}
            cause={<Cause placed={placed} />}
            note={change.note}
            at={change.at}
            action={mayRevert && <Revert change={change} />}
          />
        )
      })}
    </HistoryLines>
  )
}

function Subject({ change: { feature } }: { change: Change }) {
  return feature === null ? 'Subscriber' : <FeatureName featureKey={feature} />
}

/**
 * Opens the form with the values of an override that was changed, was removed or has ended. A plan's grant is reverted on
 * the plan's page, and a new override is removed in its drawer.
 */
function Revert({ change: { cause, feature, from } }: { change: Change }) {
  const { subscriberId, go } = useSubscriberSearch()
  const mayOverride = useMay('overrides:write')
  const enabled = useMay('features:read')
  const features = useOrganizationQuery(CatalogNamesDocument, {}, { enabled }).data?.features
  const catalogFeature = features?.find(({ key }) => key === feature)
  const entitlement = from?.entitlement
  const isOverride = cause === 'OVERRIDE' || cause === 'EXPIRY'
  if (!mayOverride || !isOverride || !catalogFeature || entitlement?.source !== 'OVERRIDE') return null
  const value = valueOfAnswer(entitlement)
  if (!value) return null

  function draftAndOpen({ key }: { key: string }, text: string, end: string | null): void {
    // An override cannot be given an end in the past. If the end is left out, the form proposes another one.
    const expiresAt = end === null || new Date(end) > new Date() ? { expiresAt: end } : {}
    storeDraft(draftOf({ subscriberId, feature: key }), { value: text, ...expiresAt })
    go({ tab: undefined, of: undefined, at: undefined, feature: key })
  }
  return (
    <RevertButton
      onDraft={() => draftAndOpen(catalogFeature, toValueText(catalogFeature, value), entitlement.expiresAt)}
    />
  )
}

/** Matches the words for a plan or an override in the reason of a change. */
const sourcePattern = /^.+’s override|^the override|an override|^overridden|plan \S+/i

/** The reason for the change. Where it names the plan or the override that set the former value, the name is a link. */
function Cause({ placed }: { placed: ChangeWithPrevious }) {
  const cause = describeCause(placed)
  const text = cause.charAt(0).toUpperCase() + cause.slice(1)
  const [words] = sourcePattern.exec(text) ?? []
  if (words === undefined) return text
  const [before, after] = text.split(words, 2)
  return (
    <>
      {before}
      <SourceLink change={placed.change}>{words}</SourceLink>
      {after}
    </>
  )
}

function SourceLink({ change: { cause, feature, plan }, children }: { change: Change; children: string }) {
  const organizationId = useOrganizationId()
  const { subscriberId } = useSubscriberSearch()
  if ((cause === 'PLAN' || cause === 'SUBSCRIPTION') && plan !== null) {
    return (
      <Link to="/o/$organizationId/plans/$planKey" params={{ organizationId, planKey: plan }}>
        {children}
      </Link>
    )
  }
  if ((cause !== 'OVERRIDE' && cause !== 'EXPIRY') || feature === null) return children
  return (
    <Link
      to="/o/$organizationId/subscribers/$subscriberId"
      params={{ organizationId, subscriberId }}
      search={{ feature }}
    >
      {children}
    </Link>
  )
}

function toValue(side: Change['from']): PastValue {
  return side && valueOfAnswer(side.entitlement)
}
