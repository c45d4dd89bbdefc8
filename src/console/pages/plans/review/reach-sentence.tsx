import { type Count, describeCount } from '../../../components/text/number.ts'
import { type Change, reachOf } from './reach.ts'

type Props = { change: Change; subscribers: Count }

/** "120 lose export, 14 keep it through an override." */
export function Loss({ change, subscribers }: Props) {
  const { affected, kept } = reachOf(subscribers, change)
  if (isNobody(subscribers)) return <>Nobody has this plan now.</>
  const isWhole = change.to === null
  return (
    <>
      {describeAffected(affected)} {isOne(affected) ? 'loses' : 'lose'} {isWhole ? '' : 'part of '}
      <code>{change.feature}</code>
      {describeKept(kept, isWhole ? 'it' : 'theirs')}
    </>
  )
}

/** "540 get it, 3 keep their own value through an override." */
export function Gain({ change, subscribers }: Props) {
  const { affected, kept } = reachOf(subscribers, change)
  if (isNobody(subscribers)) return <>Nobody has this plan now.</>
  const [one, many] = change.from === null ? ['gets it', 'get it'] : ['notices', 'notice']
  return (
    <>
      {describeAffected(affected)} {isOne(affected) ? one : many}
      {describeKept(kept, 'their own value')}
    </>
  )
}

function describeAffected(affected: Count | null): string {
  if (!affected) return 'The others'
  const text = isNobody(affected) ? 'nobody' : describeCount(affected)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function describeKept(kept: Count, what: string): string {
  if (isNobody(kept)) return '.'
  return `, ${describeCount(kept)} ${isOne(kept) ? 'keeps' : 'keep'} ${what} through an override.`
}

const isNobody = ({ value, isExact }: Count) => isExact && value === 0
const isOne = (count: Count | null) => count?.isExact === true && count.value <= 1
