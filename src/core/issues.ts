import { z } from 'zod'
import { findIntended } from './did-you-mean.ts'
import { allowedBy, innermost } from './field-type.ts'
import { isPlainObject } from './json.ts'

export type Report = (path: string, message: string) => void

/** For a schema's own check: a detail at this place within the field, whose message follows the path. */
export function refuse(context: z.core.$RefinementCtx, message: string, place: string[] = []): void {
  context.addIssue({ code: 'custom', message, path: place, params: { said: true }, input: context.value })
}

function isSaid(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'custom' && issue.params?.said === true
}

/**
 * One detail for a field, unless its schema says more: another reason, or places within it, such as grants. If the
 * field holds objects, one detail for each of their fields.
 */
export function reportField(name: string, field: z.ZodType, value: unknown, { issues }: z.ZodError, report: Report) {
  const unknown = issues.flatMap((issue) => findUnknown(placesTo(issue.path, { name, field, value }), issue))
  const reported = new Set<string>()
  for (const issue of issues) {
    if (isSaid(issue)) {
      const path = [name, ...issue.path].join('.')
      report(path, `${path} ${issue.message}`)
      continue
    }
    if (issue.code === 'unrecognized_keys') continue
    const { path, schema, isMissing } = placesTo(issue.path, { name, field, value }).findLast(isNamed) as Place
    const isSaidBetter = path === name && issues.some(isSaid)
    // A misspelled required field is one detail, at the name that was sent.
    const isMisspelled = isMissing && unknown.some(({ meant }) => meant === path)
    if (reported.has(path) || isSaidBetter || isMisspelled) continue
    reported.add(path)
    report(path, `${path} ${isMissing ? 'is required:' : 'must be'} ${allowedBy(schema) ?? 'an object'}.`)
  }
  for (const { path, message } of unknown) report(path, message)
}

type Place = { path: string; schema: z.ZodType; value: unknown; isMissing: boolean; isItem: boolean }

/** The places from the field down to the issue, as far as they have their own schemas. */
function placesTo(
  steps: readonly PropertyKey[],
  { name, field, value }: { name: string; field: z.ZodType; value: unknown },
): Place[] {
  const places: Place[] = [{ path: name, schema: field, value, isMissing: false, isItem: false }]
  for (const step of steps) {
    const { path, schema, value } = places.at(-1) as Place
    const holder = innermost(schema)
    const isItem = holder instanceof z.ZodArray
    const next = isItem ? holder.element : holder instanceof z.ZodObject && holder.shape[String(step)]
    if (!next) break
    places.push({
      path: `${path}.${String(step)}`,
      schema: next as z.ZodType,
      value: (value as Record<PropertyKey, unknown>)[step],
      isMissing: isPlainObject(value) && !Object.hasOwn(value, step),
      isItem,
    })
  }
  return places
}

/** An error about an item that is not an object is reported at its list. */
function isNamed({ schema, isItem }: Place): boolean {
  return !isItem || innermost(schema) instanceof z.ZodObject
}

type Unknown = { path: string; meant: string | null; message: string }

/** The unknown names of an object that accepts no others, each with the path of the field that it may mean. */
function findUnknown(places: Place[], issue: z.core.$ZodIssue): Unknown[] {
  const { path, schema, value } = places.at(-1) as Place
  const object = innermost(schema)
  if (issue.code !== 'unrecognized_keys' || !(object instanceof z.ZodObject)) return []
  const known = Object.keys(object.shape)
  const isSent = (name: string) => Object.hasOwn(value as object, name)
  return issue.keys.map((key) => {
    const meant = findIntended(key, [...known.filter((name) => !isSent(name)), ...known.filter(isSent)])
    const advice = meant ? `Did you mean "${meant}"?` : `Allowed: ${known.join(', ')}.`
    return {
      path: `${path}.${key}`,
      meant: meant && `${path}.${meant}`,
      message: `Unknown field "${path}.${key}". ${advice}`,
    }
  })
}
