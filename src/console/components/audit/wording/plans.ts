import { asChange, changeOf, type Details, isObject, isTooLarge, toShown } from '../details.ts'
import { key, type Sentence, shown, words } from '../sentence.ts'
import { changed, fromTo, listKeys, renamed, verbOf } from './changes.ts'
import type { Told, Wordings } from './wording.ts'

const one = ({ param }: Told) => words`plan ${key(param('key'))}`

export const planWordings: Wordings = {
  'POST /org/plans': {
    tried: () => words`create a plan`,
    did: ({ createdId, details }) => words`created plan ${key(createdId ?? '')}${withGrants(details)}`,
  },
  'PATCH /org/plans/{key}': {
    tried: (told) => words`change ${one(told)}`,
    did: (told) => describeUpdate(one(told), told.details),
  },
  'DELETE /org/plans/{key}': {
    tried: (told) => words`delete ${one(told)}`,
    did: (told) => words`deleted ${one(told)}`,
  },
  'POST /org/plans/{key}/archive': {
    tried: (told) => words`archive ${one(told)}`,
    did: (told) =>
      told.details ? words`archived ${one(told)}` : words`archived ${one(told)}, which was archived already`,
  },
  'POST /org/plans/{key}/unarchive': {
    tried: (told) => words`unarchive ${one(told)}`,
    did: (told) =>
      told.details ? words`unarchived ${one(told)}` : words`unarchived ${one(told)}, which was not archived`,
  },
}

function withGrants(details: Details | null): Sentence {
  const count = isObject(details?.grants) ? Object.keys(details.grants).length : 0
  if (count === 0) return []
  return [count === 1 ? ' with 1 grant' : ` with ${count} grants`]
}

function describeUpdate(plan: Sentence, details: Details | null): Sentence {
  const grants = isObject(details?.grants) ? Object.entries(details.grants) : []
  if (!details || grants.length === 0) return changed(plan, details)
  const [first] = grants
  const cells =
    grants.length === 1 && first
      ? describeCell(plan, first)
      : words`changed ${listKeys(grants.map(([feature]) => feature))} on ${plan}`
  const rename = changeOf(details, 'name')
  return rename ? words`${renamed(plan, rename)} and ${cells}` : cells
}

/** The change of one grant: "raised limit `seats` on plan `pro` from 10 to 25". */
function describeCell(plan: Sentence, [feature, cell]: [string, unknown]): Sentence {
  const change = asChange(cell)
  if (isTooLarge(cell) || !change) return words`changed ${key(feature)} on ${plan}`
  const [from, to] = [toShown(change.from), toShown(change.to)]
  const what = words`${kindOf(change.to ?? change.from)} ${key(feature)}`
  if (from && to) return words`${verbOf(from, to)} ${what} on ${plan}${fromTo(from, to)}`
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
