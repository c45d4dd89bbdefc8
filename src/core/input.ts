import type { z } from 'zod'
import { describeUnknownName, findIntendedName } from './did-you-mean.ts'
import { type FieldError, maxFieldErrors, validationError } from './errors.ts'
import { allowedBy, type Fields, fieldsOf } from './field-type.ts'
import { type ReportDetail, reportField } from './issues.ts'
import { isPlainObject } from './json.ts'

/** An operation's input besides its path values: the body or the query, with the contract's names. */
export type Input<T> = {
  /** The name of the input's type, if other inputs contain it; undefined if the type is named after its operation. */
  name: string | undefined
  /** The fields' schemas, each with a description of the allowed values. */
  shape: z.ZodRawShape
  /** The fields' types, from which the APIs derive their own. */
  fields: Fields
  /** Whether an unknown field is refused. Contract: Validation 4. */
  unknown: 'reject' | 'ignore'
  variants: Variants | undefined
  /** Messages for unknown fields that people often try, by the field's name. */
  hints: ReadonlyMap<string, string>
  /** Returns the input, or throws 422 with one detail for each invalid field. */
  parse(raw: unknown): T
}

/**
 * The variants of an input that is a union of objects: for each value of the field `by`, the fields that its variant accepts
 * and requires. All variants accept the fields that are not listed. Without `by`, the fields determine the variant.
 */
export type Variants = { by?: string; fields: Record<string, readonly string[]> }

/** Represents a value that could not be read, with the message for its field. */
export class UnreadableValue {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

type InputOptions = {
  name?: string
  unknown: 'reject' | 'ignore'
  /** The word for a field in messages. */
  term?: 'field' | 'query parameter'
  /** Messages for unknown fields that people often try, in place of "did you mean". */
  hints?: Record<string, string>
  /**
   * Checks rules over several fields of the raw input, such as which fields a kind accepts. A reported message for a field
   * replaces the error of the field's schema, so that a union has only errors of the given kind; null omits the field's error.
   * Contract: Validation 2.
   */
  rules?: (raw: Record<string, unknown>, report: (path: string, message: string | null) => void) => void
  /** The variants that `rules` enforce, for the APIs' schemas. */
  variants?: Variants
}

export function defineInput<S extends z.ZodRawShape>(
  shape: S,
  { name: inputName, unknown, term = 'field', hints: hintTexts = {}, rules, variants }: InputOptions,
): Input<z.output<z.ZodObject<S>>> {
  const known = Object.keys(shape)
  const knownNames = new Set(known)
  const hints = new Map(Object.entries(hintTexts))
  const optionalByName = new Map(known.map((name) => [name, schemaOf(shape, name).safeParse(undefined).success]))

  function parse(raw: unknown): z.output<z.ZodObject<S>> {
    const body = raw === undefined ? {} : raw
    if (!isPlainObject(body)) throw validationError([{ path: '', message: 'The body must be a JSON object.' }])

    const errors: FieldError[] = []
    const report: ReportDetail = (path, message) => errors.push({ path, message })
    const intendedByUnknown = findUnknownNames(body)
    const messages = rules ? applyRules(rules, body) : noRules
    const output: Record<string, unknown> = {}

    for (const name of known) {
      if (messages.get(name) === null) continue
      const field = schemaOf(shape, name)
      const isMissing = !Object.hasOwn(body, name)
      const refusal = messages.get(name) ?? describeMissingOrUnreadable(name, field, body)
      if (refusal !== null) {
        // A misspelled required field gets one detail, under the name that was sent.
        if (!isMissing || !isIntended(name, intendedByUnknown)) report(name, refusal)
        continue
      }
      const parsed = field.safeParse(Object.hasOwn(body, name) ? body[name] : undefined)
      if (!parsed.success) reportField(name, field, body[name], parsed.error, report)
      else if (parsed.data !== undefined) output[name] = parsed.data
    }
    for (const [name, meant] of intendedByUnknown) {
      const message = describeUnknown(name, meant, body)
      if (message) report(name, message)
    }
    if (errors.length > 0) throw validationError(errors)
    return output as z.output<z.ZodObject<S>>
  }

  function describeMissingOrUnreadable(name: string, field: z.ZodType, body: Record<string, unknown>): string | null {
    if (!Object.hasOwn(body, name)) return optionalByName.get(name) ? null : `${name} is required: ${allowedBy(field)}.`
    const value = body[name]
    return value instanceof UnreadableValue ? value.message : null
  }

  /** The unknown names in the request, each with the known name that it may mean. */
  function findUnknownNames(body: Record<string, unknown>): [name: string, meant: string | null][] {
    const names = Object.keys(body).filter((name) => !knownNames.has(name))
    return names.slice(0, maxFieldErrors).map((name) => [name, findIntendedName(name, sortMissingFirst(body))])
  }

  /** The known names. Names missing from the request come first: a misspelled name most likely means one of these. */
  function sortMissingFirst(body: Record<string, unknown>): string[] {
    return [...known.filter((name) => !Object.hasOwn(body, name)), ...known.filter((name) => Object.hasOwn(body, name))]
  }

  function describeUnknown(name: string, meant: string | null, body: Record<string, unknown>): string | null {
    if (unknown === 'ignore') {
      const isMissing = meant !== null && !optionalByName.get(meant) && !Object.hasOwn(body, meant)
      return isMissing ? `${meant} is required: unknown ${term} "${name}", did you mean "${meant}"?` : null
    }
    const hint = hints.get(name)
    if (hint) return hint
    return describeUnknownName(term, { name, meant, known })
  }

  return { name: inputName, shape, fields: fieldsOf(shape), unknown, variants, hints, parse }
}

/** The rules' messages, by field. */
type RuleMessages = ReadonlyMap<string, string | null>

/** The messages for inputs without rules. */
const noRules: RuleMessages = new Map()

function applyRules(rules: NonNullable<InputOptions['rules']>, body: Record<string, unknown>): RuleMessages {
  const messages = new Map<string, string | null>()
  rules(body, (path, message) => messages.set(path, message))
  return messages
}

function isIntended(name: string, intendedByUnknown: [name: string, meant: string | null][]): boolean {
  return intendedByUnknown.some(([, meant]) => meant === name)
}

/** The input of an operation that takes no values besides those in its path. */
export const noInput = defineInput({}, { unknown: 'ignore' })

function schemaOf(shape: z.ZodRawShape, name: string): z.ZodType {
  return shape[name] as z.ZodType
}
