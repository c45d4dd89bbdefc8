import { asChange, changeOf, type Details, isObject, isTooLarge, toShownValue } from '../details.ts'
import { key, namePart, type Sentence, shown, words } from '../sentence.ts'
import { chooseVerb, describeFieldChanges, describeFromTo, describeRename, listKeys, tooLarge } from './changes.ts'
import type { EntryFacts, Wordings } from './wording.ts'

const planOf = ({ param }: EntryFacts) => words`plan ${key(param('key'))}`

export const planWordings: Wordings = {
  'POST /org/plans': {
    tried: () => words`create a plan`,
    did: ({ createdId, details }) => words`created plan ${key(createdId ?? '')}${withGrants(details)}`,
  },
  'PATCH /org/plans/{key}': {
    tried: (facts) => words`change ${planOf(facts)}`,
    did: (facts) => describeUpdate(planOf(facts), facts.details),
  },
  'DELETE /org/plans/{key}': {
    tried: (facts) => words`delete ${planOf(facts)}`,
    did: (facts) => words`deleted ${planOf(facts)}`,
  },
  'POST /org/plans/{key}/archive': {
    tried: (facts) => words`archive ${planOf(facts)}`,
    did: (facts) =>
      facts.details ? words`archived ${planOf(facts)}` : words`archived ${planOf(facts)}, which was already archived`,
  },
  'POST /org/plans/{key}/unarchive': {
    tried: (facts) => words`unarchive ${planOf(facts)}`,
    did: (facts) =>
      facts.details ? words`unarchived ${planOf(facts)}` : words`unarchived ${planOf(facts)}, which was not archived`,
  },
}

function withGrants(details: Details | null): Sentence {
  const count = isObject(details?.grants) ? Object.keys(details.grants).length : 0
  if (count === 0) return []
  return [count === 1 ? ' with 1 grant' : ` with ${count} grants`]
}

function describeUpdate(plan: Sentence, recorded: Details | null): Sentence {
  const { note, ...details } = recorded ?? {}
  const what = describeChanges(plan, recorded && details)
  return typeof note === 'string' ? words`${what}: ${namePart(note)}` : what
}

function describeChanges(plan: Sentence, details: Details | null): Sentence {
  const grants = isObject(details?.grants) ? Object.entries(details.grants) : []
  if (!details || grants.length === 0) return describeFieldChanges(plan, details)
  const [first] = grants
  const cells =
    grants.length === 1 && first
      ? describeCell(plan, first)
      : words`changed ${listKeys(grants.map(([feature]) => feature))} on ${plan}`
  const rename = changeOf(details, 'name')
  return rename ? words`${describeRename(plan, rename)} and ${cells}` : cells
}

/** The change of one grant: "raised limit `seats` on plan `pro` from 10 to 25". */
function describeCell(plan: Sentence, [feature, cell]: [string, unknown]): Sentence {
  const change = asChange(cell)
  if (isTooLarge(cell)) return words`changed ${key(feature)} on ${plan}${tooLarge}`
  if (!change) return words`changed ${key(feature)} on ${plan}`
  const [from, to] = [toShownValue(change.from), toShownValue(change.to)]
  const what = words`${kindOf(change.to ?? change.from)} ${key(feature)}`
  if (from && to) return words`${chooseVerb(from, to)} ${what} on ${plan}${describeFromTo(from, to)}`
  if (to)
    return words`granted ${what} on ${plan}${to !== 'TOO_LARGE' && to.kind === 'FLAG' ? [] : words`: ${shown(to)}`}`
  if (from && from !== 'TOO_LARGE' && from.kind !== 'FLAG') {
    return words`removed ${what} from ${plan}, which granted ${shown(from)}`
  }
  return words`removed ${what} from ${plan}`
}

function kindOf(grant: unknown): string {
  return isObject(grant) && typeof grant.kind === 'string' ? grant.kind : 'feature'
}
