import type { ReactNode } from 'react'
import { JsonChanges } from '../../../components/text/json-change-list.tsx'
import { KeyText } from '../../../components/text/key-text.tsx'
import { toValue } from '../../../components/text/value.ts'
import { GrantChange } from '../matrix/grant-cell.tsx'
import type { Plan } from '../plan.ts'
import { KeepOldValue } from './keep-old-value.tsx'
import { type Change, isAltered, isReduction } from './reach.ts'
import { GainSentence, LossSentence } from './reach-sentence.tsx'
import classes from './review.module.css'
import type { Preview } from './use-previews.ts'

/** The changes to a plan, with the reductions set apart. */
export function ChangeList({ plan, preview: { changes, subscribers } }: { plan: Plan; preview: Preview }) {
  const reductions = changes.filter(isReduction)
  const others = changes.filter((change) => !isReduction(change))
  return (
    <>
      {reductions.length > 0 && (
        <div className={classes.reductions}>
          <h4 className={classes.subtitle}>{reductions.length === 1 ? 'Reduction' : 'Reductions'}</h4>
          <ul className={classes.list} aria-label="Reductions">
            {reductions.map((change) => (
              <Line key={change.feature} change={change}>
                <LossSentence change={change} subscribers={subscribers} planKey={plan.key} />
                <KeepOldValue plan={plan} change={change} subscribers={subscribers} />
              </Line>
            ))}
          </ul>
        </div>
      )}
      {others.length > 0 && (
        <ul className={classes.list} aria-label="Changes">
          {others.map((change) => (
            <Line key={change.feature} change={change}>
              <GainSentence change={change} subscribers={subscribers} planKey={plan.key} />
              {isAltered(change) && <KeepOldValue plan={plan} change={change} subscribers={subscribers} />}
            </Line>
          ))}
        </ul>
      )}
    </>
  )
}

function Line({ change: { feature, from, to }, children }: { change: Change; children: ReactNode }) {
  const kind = (from ?? to)?.kind ?? 'FLAG'
  const sides = { from: from && toValue(from), to: to && toValue(to) }
  return (
    <li>
      <span className={classes.line}>
        <KeyText value={feature} max={28} />
        <GrantChange kind={kind} {...sides} />
      </span>
      <JsonChanges {...sides} />
      <span className={classes.reach}>{children}</span>
    </li>
  )
}
