import { isPlainObject } from '../../core/json.ts'
import { type LoggedChange, routes } from '../audit/read-logged-changes.ts'
import { type OverrideState, type PastOverride, toChange, toExpiry, toPastOverride, valueFields } from './known.ts'

/** What one entry did to one override. */
export type OverrideChange = {
  entry: LoggedChange
  before: OverrideState
  after: OverrideState
  /** The fields that the entry does not name, and that it left as they were. */
  kept: readonly (keyof PastOverride)[]
}

const fields = ['value', 'expiresAt', 'note'] as const

/** The changes of overrides in an entry, by feature key. */
export function toOverrideChanges(entry: LoggedChange): Map<string, OverrideChange> {
  const { route, method, details, featureKey } = entry
  if (route === routes.imported && isPlainObject(details?.overrides)) {
    return new Map(Object.entries(details.overrides).map(([feature, change]) => [feature, toImported(entry, change)]))
  }
  if (route !== routes.override || featureKey === null) return new Map()
  if (method === 'DELETE') return new Map([[featureKey, { entry, before: {}, after: null, kept: [] }]])
  if (details === null) return new Map()
  const change = Object.hasOwn(details, 'override_id')
    ? { entry, before: null, after: toPastOverride(details), kept: [] }
    : toUpdate(entry, details)
  return new Map([[featureKey, change]])
}

function toImported(entry: LoggedChange, recorded: unknown): OverrideChange {
  const change = toChange(recorded)
  if (!change) return { entry, before: undefined, after: undefined, kept: [] }
  return { entry, before: toPastOverride(change.from), after: toPastOverride(change.to), kept: [] }
}

function toUpdate(entry: LoggedChange, details: Record<string, unknown>): OverrideChange {
  const [before, after]: [PastOverride, PastOverride] = [{}, {}]
  const named = new Set<string>()
  for (const [field, read] of Object.entries(valueFields)) {
    if (!Object.hasOwn(details, field)) continue
    named.add('value')
    const change = toChange(details[field])
    if (!change) continue
    before.value = read(change.from)
    after.value = read(change.to)
  }
  if (Object.hasOwn(details, 'expires_at')) named.add('expiresAt')
  const ends = toChange(details.expires_at)
  if (ends) {
    before.expiresAt = toExpiry(ends.from)
    after.expiresAt = toExpiry(ends.to)
  }
  if (Object.hasOwn(details, 'note')) named.add('note')
  const notes = toChange(details.note)
  if (notes) {
    before.note = notes.from as string | null
    after.note = notes.to as string | null
  }
  return { entry, before, after, kept: fields.filter((field) => !named.has(field)) }
}

/**
 * Adds to each change of one override, oldest first, what its neighbours say: the state after a change is the one before the
 * next. `first` is the state before all of them, `last` that of the row now, which may be older than the newest change.
 */
export function complete(changes: readonly OverrideChange[], first: OverrideState, last: OverrideState): void {
  let state = first
  for (const change of changes) {
    change.before = merge(change.before, state)
    change.after = merge(change.after, keep(change.before, change.kept))
    state = change.after
  }
  state = last
  for (const change of changes.toReversed()) {
    change.after = merge(change.after, state)
    change.before = merge(change.before, keep(change.after, change.kept))
    state = change.before
  }
}

function keep(state: OverrideState, kept: readonly (keyof PastOverride)[]): OverrideState {
  if (!state || kept.length === 0) return kept.length === 0 ? undefined : state
  return Object.fromEntries(Object.entries(state).filter(([field]) => kept.includes(field as keyof PastOverride)))
}

/** The state, with fields from another account of it; what is known already stays. */
function merge(state: OverrideState, other: OverrideState): OverrideState {
  if (state === undefined) return other
  return state && other ? { ...other, ...state } : state
}
