import { defineAnswer } from '../../core/answer.ts'
import { anyIdField, nameField } from '../../core/answer-fields.ts'
import { namedEnum } from '../../core/field-type.ts'

const hitTypeMeanings = {
  subscriber: 'A subscriber.',
  feature: 'A feature.',
  plan: 'A plan.',
  member: 'A person who is a member.',
  service_account: 'A service account.',
  audit_event: 'An entry of the audit log.',
}
export type HitType = keyof typeof hitTypeMeanings

/** The types. Hits that are otherwise equal are sorted in this order. */
export const hitTypes = Object.keys(hitTypeMeanings) as HitType[]

export type Hit = { type: HitType; id: string; name: string | null; context: string | null }

/** A hit with its rank. Lower ranks come first, and within a rank, lower ordinals. */
export type RankedHit = Hit & { rank: number; ordinal: number }

export const ranks = {
  exact: 0,
  startOfId: 1,
  startOfName: 2,
  part: 3,
  idInLine: 4,
  nameInLine: 5,
  allWords: 6,
  endOfId: 7,
  startInLine: 8,
} as const

function hitType() {
  return namedEnum('SearchHitType', hitTypeMeanings, 'The type of the object.')
}

export const hitAnswer = defineAnswer<Hit>('SearchHit', 'An object that a search found.', {
  type: hitType().describe('The type of the object.'),
  id: anyIdField().describe('The id or key of the object.'),
  name: nameField().nullable().describe('The display name; for an audit entry, its method and route.'),
  context: nameField()
    .nullable()
    .describe(
      'For a subscriber its plan, for a feature its kind, for a plan its kind and whether it is archived, for a member the e-mail, for a service account its role, for an audit entry its time.',
    ),
})

/**
 * Merges hits of all types, by rank. Within a rank the types take turns, so that a thousand subscribers do not hide a single
 * feature.
 */
export function mergeHits(hits: readonly RankedHit[], limit: number): Hit[] {
  const best = new Map<string, RankedHit>()
  for (const hit of hits) {
    const name = `${hit.type} ${hit.id}`
    const known = best.get(name)
    if (!known || compareInType(hit, known) < 0) best.set(name, hit)
  }
  const groups = Map.groupBy([...best.values()].toSorted(compareInType), ({ type, rank }) => `${type} ${rank}`)
  const numbered = [...groups.values()].flatMap((group) => group.map((hit, round) => ({ hit, round })))
  return numbered
    .toSorted(
      (a, b) =>
        a.hit.rank - b.hit.rank ||
        a.hit.ordinal - b.hit.ordinal ||
        a.round - b.round ||
        hitTypes.indexOf(a.hit.type) - hitTypes.indexOf(b.hit.type),
    )
    .slice(0, limit)
    .map(({ hit: { type, id, name, context } }) => ({ type, id, name, context }))
}

function compareInType(a: RankedHit, b: RankedHit): number {
  return a.rank - b.rank || a.ordinal - b.ordinal || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}
