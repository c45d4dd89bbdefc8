import { z } from 'zod'
import { findIntended } from './did-you-mean.ts'
import { type FieldError, maxFieldErrors, validationError } from './errors.ts'
import { isPlainObject, isStorableText } from './json.ts'
import { parseTimestamp } from './timestamp.ts'

/** What an operation takes beside the values in its path: the body or the query, by the names of the spec. */
export type Input<T> = {
  /** Field by field, each with a description of what is allowed. */
  shape: z.ZodRawShape
  /** Whether an unknown field is refused. Contract: Validation 4. */
  unknown: 'reject' | 'ignore'
  /** The input, or a 422 with one detail for each field that is wrong. */
  parse(raw: unknown): T
}

/** In the place of a value that could not be read: what is said of its field. */
export class Unread {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

export type Report = (path: string, message: string) => void

type InputOptions = {
  unknown: 'reject' | 'ignore'
  /** What the names are called in messages. */
  noun?: 'field' | 'query parameter'
  /** What to say of unknown fields that people try, by name, instead of guessing. */
  hints?: Record<string, string>
  /**
   * Rules over several fields: which of them a kind takes. Gets the raw object. What they say of a field is said instead
   * of what is wrong with its value, so that a union tells of the branch that was named; null says nothing of the field.
   * Contract: Validation 2.
   */
  rules?: (raw: Record<string, unknown>, report: (path: string, message: string | null) => void) => void
}

export function defineInput<S extends z.ZodRawShape>(
  shape: S,
  { unknown, noun = 'field', hints = {}, rules }: InputOptions,
): Input<z.output<z.ZodObject<S>>> {
  const known = Object.keys(shape)
  const isKnown = new Set(known)
  const hintByName = new Map(Object.entries(hints))
  const isOptional = new Map(known.map((name) => [name, fieldOf(shape, name).safeParse(undefined).success]))

  function parse(raw: unknown): z.output<z.ZodObject<S>> {
    const body = raw === undefined ? {} : raw
    if (!isPlainObject(body)) throw validationError([{ path: '', message: 'The body must be a JSON object.' }])

    const errors: FieldError[] = []
    const report: Report = (path, message) => errors.push({ path, message })
    const intendedByUnknown = findUnknown(body)
    const ruled = rules ? applyRules(rules, body) : unruled
    const output: Record<string, unknown> = {}

    for (const name of known) {
      if (ruled.get(name) === null) continue
      const field = fieldOf(shape, name)
      const isMissing = !Object.hasOwn(body, name)
      const refusal = ruled.get(name) ?? refuseUnparsed(name, field, body)
      if (refusal !== null) {
        // A misspelled required field is one detail, at the name that was sent.
        if (!isMissing || !isIntended(name, intendedByUnknown)) report(name, refusal)
        continue
      }
      const parsed = field.safeParse(Object.hasOwn(body, name) ? body[name] : undefined)
      if (!parsed.success) reportField(name, field, parsed.error, report)
      else if (parsed.data !== undefined) output[name] = parsed.data
    }
    for (const [name, meant] of intendedByUnknown) {
      const message = refuseUnknown(name, meant, body)
      if (message) report(name, message)
    }
    if (errors.length > 0) throw validationError(errors)
    return output as z.output<z.ZodObject<S>>
  }

  function refuseUnparsed(name: string, field: z.ZodType, body: Record<string, unknown>): string | null {
    if (!Object.hasOwn(body, name)) return isOptional.get(name) ? null : `${name} is required: ${field.description}.`
    const value = body[name]
    return value instanceof Unread ? value.message : null
  }

  /** The unknown names that were sent, each with the known one that it may stand for. */
  function findUnknown(body: Record<string, unknown>): [name: string, meant: string | null][] {
    const names = Object.keys(body).filter((name) => !isKnown.has(name))
    return names.slice(0, maxFieldErrors).map((name) => [name, findIntended(name, missingFirst(body))])
  }

  /** Names that were not sent come first: those are what a misspelled one stands for. */
  function missingFirst(body: Record<string, unknown>): string[] {
    return [...known.filter((name) => !Object.hasOwn(body, name)), ...known.filter((name) => Object.hasOwn(body, name))]
  }

  function refuseUnknown(name: string, meant: string | null, body: Record<string, unknown>): string | null {
    if (unknown === 'ignore') {
      const isMissing = meant !== null && !isOptional.get(meant) && !Object.hasOwn(body, meant)
      return isMissing ? `${meant} is required: unknown ${noun} "${name}", did you mean "${meant}"?` : null
    }
    const hint = hintByName.get(name)
    if (hint) return hint
    if (meant) return `Unknown ${noun} "${name}". Did you mean "${meant}"?`
    const allowed = known.length === 0 ? `No ${noun}s are allowed here.` : `Allowed: ${known.join(', ')}.`
    return `Unknown ${noun} "${name}". ${allowed}`
  }

  return { shape, unknown, parse }
}

/** What the rules say, by field. */
type Ruled = ReadonlyMap<string, string | null>

/** Evals have no rules, and are many. */
const unruled: Ruled = new Map()

function applyRules(rules: NonNullable<InputOptions['rules']>, body: Record<string, unknown>): Ruled {
  const ruled = new Map<string, string | null>()
  rules(body, (path, message) => ruled.set(path, message))
  return ruled
}

function isIntended(name: string, intendedByUnknown: [name: string, meant: string | null][]): boolean {
  return intendedByUnknown.some(([, meant]) => meant === name)
}

/** An operation that takes nothing beside its path. */
export const noInput = defineInput({}, { unknown: 'ignore' })

function fieldOf(shape: z.ZodRawShape, name: string): z.ZodType {
  return shape[name] as z.ZodType
}

/** One detail for a field, unless its schema says more: places within it, as those of grants, or another reason. */
function reportField(name: string, field: z.ZodType, error: z.ZodError, report: Report): void {
  const said = error.issues.filter((issue) => issue.code === 'custom' && issue.params?.said === true)
  if (said.length === 0) report(name, `${name} must be ${field.description}.`)
  for (const issue of said) {
    const path = [name, ...issue.path].join('.')
    report(path, `${path} ${issue.message}`)
  }
}

/** In a schema's own check: a detail at this place within the field, whose message follows the path. */
export function refuse(context: z.core.$RefinementCtx, message: string, place: string[] = []): void {
  context.addIssue({ code: 'custom', message, path: place, params: { said: true }, input: context.value })
}

/** Counted in Unicode code points, as people and PostgreSQL do. */
export function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}

const unstorable = 'must not contain U+0000 or unpaired surrogates.'

/** A string of any length that could be stored, also where it is only compared with what is. */
export function storableText() {
  return z.string().superRefine((value, context) => {
    if (!isStorableText(value)) refuse(context, unstorable)
  })
}

/** A string of min to max characters that can be stored. */
export function text(min: number, max: number) {
  const allowed = min === 0 ? `a string of at most ${max} characters` : `a string of ${min} to ${max} characters`
  return z
    .string()
    .superRefine((value, context) => {
      if (!isStorableText(value)) {
        refuse(context, unstorable)
        return
      }
      const length = value.length > 2 * max ? Infinity : lengthOf(value)
      if (length < min || length > max) refuse(context, `must be ${allowed}.`)
    })
    .describe(allowed)
}

/** What a key that people choose may be. */
export const keyPattern = /^[a-z0-9_-]{1,64}$/

export function key() {
  return z.string().regex(keyPattern).describe('1 to 64 lower-case letters, digits, underscores or dashes')
}

/** A cap: an integer from 0, or null for unlimited. -0 is 0. */
export function cap() {
  return z
    .number()
    .refine((value) => Number.isSafeInteger(value) && value >= 0)
    .transform((value) => value + 0)
    .nullable()
    .describe('an integer from 0 to 9007199254740991, or null for unlimited')
}

export function timestamp() {
  return z
    .string()
    .transform((value, context) => {
      const instant = parseTimestamp(value)
      if (instant) return instant
      context.addIssue({ code: 'invalid_format', format: 'datetime', input: value })
      return z.NEVER
    })
    .describe('an RFC 3339 timestamp that exists, such as 2027-01-31T09:00:00Z or 2027-01-31T10:00:00.5+01:00')
}
