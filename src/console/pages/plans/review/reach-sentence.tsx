import { Link } from '@tanstack/react-router'
import { type Count, describeCount } from '../../../components/text/number.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { type Change, isAltered, reachOf } from './reach.ts'

type Props = { change: Change; subscribers: Count; planKey: string }

/** "120 lose export, 14 keep it through an override.", "Lower limit of seats for 120." */
export function LossSentence({ change, subscribers, planKey }: Props) {
  const { affected, kept } = reachOf(subscribers, change)
  if (isNobody(subscribers)) return <>Nobody has this plan now.</>
  const isWhole = change.to === null
  const affectedOnes = <AffectedLink count={affected} planKey={planKey} feature={change.feature} isFirst={isWhole} />
  return (
    <>
      {isWhole ? (
        <>
          {affectedOnes} {isOne(affected) ? 'loses' : 'lose'} <code>{change.feature}</code>
        </>
      ) : (
        <>
          Lower limit of <code>{change.feature}</code> for {affectedOnes}
        </>
      )}
      <KeptLink count={kept} planKey={planKey} feature={change.feature} what={isWhole ? 'it' : 'theirs'} />
    </>
  )
}

/** "540 get export.", "Higher limit of seats for 540, 3 keep their own value through an override." */
export function GainSentence({ change, subscribers, planKey }: Props) {
  const { affected, kept } = reachOf(subscribers, change)
  if (isNobody(subscribers)) return <>Nobody has this plan now.</>
  const affectedOnes = (
    <AffectedLink count={affected} planKey={planKey} feature={change.feature} isFirst={!change.from} />
  )
  return (
    <>
      {change.from ? (
        <>
          {isAltered(change) ? 'Another value' : 'Higher limit'} of <code>{change.feature}</code> for {affectedOnes}
        </>
      ) : (
        <>
          {affectedOnes} {isOne(affected) ? 'gets' : 'get'} <code>{change.feature}</code>
        </>
      )}
      <KeptLink count={kept} planKey={planKey} feature={change.feature} what="their own value" />
    </>
  )
}

type AffectedProps = { count: Count | null; planKey: string; feature: string; isFirst: boolean }

/** How many subscribers are affected, as a link to the list of them. `isFirst` means that the number begins the sentence. */
function AffectedLink({ count, planKey, feature, isFirst }: AffectedProps) {
  const organizationId = useOrganizationId()
  if (count && isNobody(count)) return isFirst ? 'Nobody' : 'nobody'
  const text = count ? describeCount(count) : 'the others'
  return (
    <Link
      to="/o/$organizationId/subscribers"
      params={{ organizationId }}
      search={{ plan: planKey, without_override_of: feature }}
    >
      {isFirst ? text.charAt(0).toUpperCase() + text.slice(1) : text}
    </Link>
  )
}

/** How many subscribers keep their value, as a link to the list of them. */
function KeptLink({ count, planKey, feature, what }: { count: Count; planKey: string; feature: string; what: string }) {
  const organizationId = useOrganizationId()
  if (isNobody(count)) return '.'
  return (
    <>
      {', '}
      <Link
        to="/o/$organizationId/subscribers"
        params={{ organizationId }}
        search={{ plan: planKey, with_override_of: feature }}
      >
        {describeCount(count)}
      </Link>{' '}
      {isOne(count) ? 'keeps' : 'keep'} {what} through an override.
    </>
  )
}

const isNobody = ({ value, isExact }: Count) => isExact && value === 0
const isOne = (count: Count | null) => count?.isExact === true && count.value <= 1
