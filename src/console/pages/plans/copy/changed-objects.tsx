import type { Grant } from '../../../../core/catalog/catalog.ts'
import {
  type Difference,
  describeValue,
  type FieldChange,
  isReduction,
  type GrantChange as OfGrant,
} from '../../../../core/catalog/compare.ts'
import { ForwardIcon } from '../../../components/icons/navigation.tsx'
import { Section } from '../../../components/page/section.tsx'
import { JsonChanges } from '../../../components/text/json-change-list.tsx'
import { KeyText } from '../../../components/text/key-text.tsx'
import type { Count } from '../../../components/text/number.ts'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import type { Value } from '../../../components/text/value.ts'
import type { FeatureKind } from '../../../generated/plans.ts'
import { describeSubscribers } from '../count.ts'
import { GrantChange } from '../matrix/grant-cell.tsx'
import classes from './copy.module.css'

type Props = {
  difference: Difference
  /** How many subscribers each plan of the target has, by its key. */
  subscribers: ReadonlyMap<string, Count | null>
  name: string
}

/** Whether a subscriber gets less than before. */
export function isLoss(change: OfGrant, count: Count | null | undefined): boolean {
  return isReduction(change) && !(count?.isExact && count.value === 0)
}

/** Shows the changes to features and plans that exist in both catalogs. */
export function ChangedObjects({ difference: { changedFeatures, changedPlans }, subscribers, name }: Props) {
  if (changedFeatures.length + changedPlans.length === 0) return null
  return (
    <Section title="Changed" description={`From what ${name} has now, to what it gets.`}>
      {changedFeatures.map(({ before, fields }) => (
        <section key={before.key} aria-label={before.name} className={classes.changed}>
          <h3 className={classes.title}>
            {shortenMiddle(before.name, 60)} <span className={classes.what}>feature</span>
          </h3>
          <ul className={classes.list}>
            {fields.map((change) => (
              <Field key={change.field} change={change} />
            ))}
          </ul>
        </section>
      ))}
      {changedPlans.map(({ before, fields, grants }) => {
        const count = subscribers.get(before.key)
        return (
          <section key={before.key} aria-label={before.name} className={classes.changed}>
            <h3 className={classes.title}>
              {shortenMiddle(before.name, 60)}{' '}
              <span className={classes.what}>plan{count && `, ${describeSubscribers(count)}`}</span>
            </h3>
            <ul className={classes.list}>
              {fields.map((change) => (
                <Field key={change.field} change={change} />
              ))}
              {grants.map((change) => (
                <GrantLine key={change.feature} change={change} count={count} />
              ))}
            </ul>
          </section>
        )
      })}
    </Section>
  )
}

function Field({ change: { field, from, to } }: { change: FieldChange }) {
  return (
    <li className={classes.object}>
      <span className={classes.field}>{field}</span>
      <span className={classes.texts}>
        <del>{describeFieldValue(from)}</del> <ForwardIcon size={12} /> <ins>{describeFieldValue(to)}</ins>
      </span>
    </li>
  )
}

function describeFieldValue(value: unknown): string {
  if (value === '') return 'none'
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : describeValue(value)
}

function GrantLine({ change, count }: { change: OfGrant; count: Count | null | undefined }) {
  const kind = ((change.from ?? change.to)?.kind.toUpperCase() ?? 'FLAG') as FeatureKind
  const [from, to] = [toValue(change.from), toValue(change.to)]
  return (
    <li className={classes.object}>
      <KeyText value={change.feature} max={28} />
      {isLoss(change, count) && <span className={classes.less}>less than before</span>}
      <span className={classes.texts}>
        <GrantChange kind={kind} from={from} to={to} />
      </span>
      <div className={classes.byKey}>
        <JsonChanges from={from} to={to} />
      </div>
    </li>
  )
}

function toValue(grant: Grant | null): Value | null {
  switch (grant?.kind) {
    case undefined:
      return null
    case 'flag':
      return { kind: 'FLAG', allowed: true }
    case 'limit':
      return { kind: 'LIMIT', limit: grant.limit }
    case 'config':
      return { kind: 'CONFIG', value: grant.value }
  }
}
