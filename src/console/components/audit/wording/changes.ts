import { compareJson, isNested, type JsonChange } from '../../text/json-changes.ts'
import { type Change, changeOf, type Details, isTooLarge } from '../details.ts'
import { key, namePart, type Part, type Sentence, type ShownValue, shown, words } from '../sentence.ts'

/** "raised limit `seats` …": the verb for a value that replaced another. */
export function chooseVerb(from: ShownValue, to: ShownValue): 'raised' | 'lowered' | 'changed' {
  if (from === 'TOO_LARGE' || to === 'TOO_LARGE' || from.kind !== 'LIMIT' || to.kind !== 'LIMIT') return 'changed'
  const [before, after] = [from.limit ?? Number.POSITIVE_INFINITY, to.limit ?? Number.POSITIVE_INFINITY]
  return after > before ? 'raised' : 'lowered'
}

/** " from 10 to 25". For JSON, names the changed keys. For values that are too large to log, says so. */
export function describeFromTo(from: ShownValue, to: ShownValue): Sentence {
  if (from === 'TOO_LARGE' || to === 'TOO_LARGE') return [tooLarge]
  if (from.kind === 'CONFIG' && to.kind === 'CONFIG' && isNested(from.value) && isNested(to.value)) {
    return describeByKey(compareJson(from.value, to.value))
  }
  return words` from ${shown(from)} to ${shown(to)}`
}

export const tooLarge = ', too large to log'

/** ": `accent` from "blue" to "green"", or ": `accent`, `dense` and 2 more" */
function describeByKey(changes: readonly JsonChange[]): Sentence {
  const [first] = changes
  if (changes.length > 1 || !first || first.path === '') return words`: ${listKeys(changes.map(({ path }) => path))}`
  const value = (side: unknown) => shown({ kind: 'CONFIG', value: side })
  if (!('from' in first)) return words`: added ${key(first.path)} ${value(first.to)}`
  if (!('to' in first)) return words`: removed ${key(first.path)}, which was ${value(first.from)}`
  return words`: ${key(first.path)} from ${value(first.from)} to ${value(first.to)}`
}

/** "renamed plan `pro` from “Pro” to “Professional”" */
export function describeRename(what: Sentence, { from, to }: Change): Sentence {
  if (from === null) return words`named ${what} ${namePart(String(to))}`
  if (to === null) return words`removed the name ${namePart(String(from))} from ${what}`
  return words`renamed ${what} from ${namePart(String(from))} to ${namePart(String(to))}`
}

/** "`seats`, `sso` and 3 more" */
export function listKeys(keys: readonly string[], maxKeys = 3): Sentence {
  const listedKeys = keys.length <= maxKeys ? keys : keys.slice(0, maxKeys - 1)
  const unlistedCount = keys.length - listedKeys.length
  return joinParts([...listedKeys.map(key), ...(unlistedCount > 0 ? [`${unlistedCount} more`] : [])])
}

/** "a, b and c" */
function joinParts(parts: readonly Part[]): Sentence {
  return parts.flatMap((part, index) => {
    if (index === 0) return [part]
    return [index === parts.length - 1 ? ' and ' : ', ', part]
  })
}

/**
 * Describes a change of an object's own fields: a rename with both names, other fields without their values. If the details
 * are null, nothing changed.
 */
export function describeFieldChanges(what: Sentence, details: Details | null, nameField = 'name'): Sentence {
  const fields = Object.keys(details ?? {})
  if (!details || fields.length === 0) return words`saved ${what} without changes`
  const rename = fields.length === 1 ? changeOf(details, nameField) : null
  if (rename && !isTooLarge(details[nameField])) return describeRename(what, rename)
  return words`changed the ${joinParts(fields.map((field) => field.replaceAll('_', ' ')))} of ${what}`
}
