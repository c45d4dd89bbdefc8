import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { toHistoryFilter } from '../../../components/audit/history-of.ts'
import { InfoIcon, WarningIcon } from '../../../components/icons/actions.tsx'
import { JsonChanges } from '../../../components/text/json-change-list.tsx'
import { toNestedSides } from '../../../components/text/json-changes.ts'
import { AuditEventsDocument } from '../../../generated/audit.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'
import { plural } from '../count.ts'
import { GrantCell } from '../matrix/grant-cell.tsx'
import type { Feature, Plan } from '../plan.ts'
import classes from './colleague-changes.module.css'
import type { ColleagueChange, ConflictingCell } from './merge.ts'

type Choice = 'yours' | 'theirs'

type Props = {
  merged: readonly ColleagueChange[]
  contested: readonly ColleagueChange[]
  plans: readonly Plan[]
  features: readonly Feature[]
  onForget(): void
  onChoose(plan: Plan, feature: string, choice: Choice): void
}

/**
 * Shows the changes by colleagues. Changes to other cells were merged; where both changed the same cell, the person chooses.
 */
export function ColleagueChanges({ merged, contested, plans, features, onForget, onChoose }: Props) {
  if (merged.length + contested.length === 0) return null
  const find = (planKey: string) => plans.find(({ key }) => key === planKey)
  const nameOf = (planKey: string) => find(planKey)?.name ?? planKey
  return (
    <div role="status" className={classes.notices}>
      {contested.map((change) => (
        <ConflictChoices key={change.planKey} change={change} plan={nameOf(change.planKey)}>
          {change.contested.map((cell) => (
            <ConflictQuestion
              key={cell.feature}
              cell={cell}
              kind={features.find(({ key }) => key === cell.feature)?.kind ?? 'FLAG'}
              onChoose={(choice) => {
                const plan = find(change.planKey)
                if (plan) onChoose(plan, cell.feature, choice)
              }}
            />
          ))}
        </ConflictChoices>
      ))}
      {merged.length > 0 && (
        <div className={classes.merged}>
          <InfoIcon size={16} />
          <div className={classes.words}>
            {merged.map((change) => (
              <Merged key={`${change.planKey} ${change.since}`} change={change} plan={nameOf(change.planKey)} />
            ))}
          </div>
          <Button size="compact-sm" variant="subtle" onClick={onForget}>
            Dismiss
          </Button>
        </div>
      )}
    </div>
  )
}

function Merged({ change, plan }: { change: ColleagueChange; plan: string }) {
  const who = useChangeAuthor(change)
  if (change.isDeleted) {
    return (
      <p>
        Plan {plan} was deleted while you were editing, and with it {plural(change.features.length, 'change')} of yours.
      </p>
    )
  }
  return (
    <p>
      {who} changed <Keys keys={change.features} /> on {plan} while you were editing. It is shown here; your changes to
      other cells stay.
    </p>
  )
}

function ConflictChoices({ change, plan, children }: { change: ColleagueChange; plan: string; children: ReactNode }) {
  const who = useChangeAuthor(change)
  const both = change.contested.map(({ feature }) => feature)
  return (
    <section className={classes.contested} aria-label={`Changes on ${plan}`}>
      <p className={classes.title}>
        <WarningIcon size={16} />
        <span>
          {who} changed <Keys keys={change.features} /> on {plan} while you were editing
          {both.length < change.features.length && (
            <>
              , and you changed <Keys keys={both} /> too
            </>
          )}
          . Which one do you want to keep?
        </span>
      </p>
      <ul className={classes.questions}>{children}</ul>
    </section>
  )
}

type QuestionProps = { cell: ConflictingCell; kind: Feature['kind']; onChoose(choice: Choice): void }

function ConflictQuestion({ cell: { feature, before, yours, theirs }, kind, onChoose }: QuestionProps) {
  return (
    <li className={classes.question}>
      <span className={classes.feature}>
        <code>{feature}</code>
        <span className={classes.before}>
          was <GrantCell kind={kind} value={before} />
        </span>
      </span>
      <span className={classes.choices}>
        <Button size="xs" variant="default" onClick={() => onChoose('yours')}>
          <span className={classes.choice}>
            Keep yours: <GrantCell kind={kind} value={yours} />
          </span>
        </Button>
        <Button size="xs" variant="default" onClick={() => onChoose('theirs')}>
          <span className={classes.choice}>
            Take theirs: <GrantCell kind={kind} value={theirs} />
          </span>
        </Button>
      </span>
      {toNestedSides(yours, theirs) && (
        <div className={classes.byKey}>
          From yours to theirs:
          <JsonChanges from={yours} to={theirs} />
        </div>
      )}
    </li>
  )
}

function Keys({ keys }: { keys: readonly string[] }) {
  const named = keys.slice(0, 5)
  return (
    <>
      {named.map((key, index) => (
        <span key={key}>
          {index > 0 && ', '}
          <code>{key}</code>
        </span>
      ))}
      {keys.length > named.length && ` and ${keys.length - named.length} more`}
    </>
  )
}

/** Who changed the plan, according to the audit log; "Someone" for roles that may not read it. */
function useChangeAuthor({ planKey, since, until, features }: ColleagueChange): string {
  const mayRead = useMay('org:audit:read')
  const { data } = useOrganizationQuery(
    AuditEventsDocument,
    { filter: { ...toHistoryFilter({ type: 'PLAN', id: planKey }), ...periodFilter(since, until) }, first: 20 },
    { enabled: mayRead },
  )
  const names = new Set<string>()
  for (const { occurredAt, details, actor } of data?.auditEvents.nodes ?? []) {
    const changed = (details as { grants?: object } | null)?.grants ?? {}
    const isThisChange =
      Date.parse(occurredAt) > Date.parse(since) && features.some((feature) => Object.hasOwn(changed, feature))
    if (isThisChange && actor.member?.displayName) names.add(actor.member.displayName)
  }
  return names.size === 0 ? 'Someone' : [...names].join(' and ')
}

/**
 * The filter for the period up to and including `until`. The log's filter excludes its end, so the end is a millisecond later.
 */
function periodFilter(since: string, until: string): { occurredAfter: string; occurredBefore: string } {
  return { occurredAfter: since, occurredBefore: new Date(Date.parse(until) + 1).toISOString() }
}
