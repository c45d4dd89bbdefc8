import { z } from 'zod'
import { findIntendedName } from './did-you-mean.ts'
import { shortenQuoted } from './errors.ts'
import { allowedBy, innermostSchema } from './field-type.ts'
import { isPlainObject } from './json.ts'

export type ReportDetail = (path: string, message: string) => void

/** Reports a detail from a schema's own check, at `pathWithin` within the field. Its text is the path and `message`. */
export function refuse(context: z.core.$RefinementCtx, message: string, pathWithin: string[] = []): void {
  context.addIssue({
    code: 'custom',
    message,
    path: pathWithin.map(shortenQuoted),
    params: { said: true },
    input: context.value,
  })
}

function hasOwnMessage(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'custom' && issue.params?.said === true
}

/**
 * Reports one detail for a field, unless the field's schema reports its own messages or paths, as the schema of grants does. If
 * the field contains objects, reports one detail for each of their invalid fields.
 */
export function reportField(
  name: string,
  field: z.ZodType,
  value: unknown,
  { issues }: z.ZodError,
  report: ReportDetail,
) {
  const unknown = issues.flatMap((issue) => findUnknownNames(findSteps(issue.path, { name, field, value }), issue))
  const reported = new Set<string>()
  for (const issue of issues) {
    if (hasOwnMessage(issue)) {
      const path = [name, ...issue.path].join('.')
      report(path, `${path} ${issue.message}`)
      continue
    }
    if (issue.code === 'unrecognized_keys') continue
    const {
      path,
      schema,
      value: given,
      isMissing,
    } = findSteps(issue.path, { name, field, value }).findLast(isReportable) as FieldStep
    const hasBetterMessage = path === name && issues.some(hasOwnMessage)
    // A misspelled required field gets one detail, under the name that was sent.
    const isMisspelled = isMissing && unknown.some(({ meant }) => meant === path)
    if (reported.has(path) || hasBetterMessage || isMisspelled) continue
    reported.add(path)
    // The value is usually an id that is a number in another system.
    const isNumber = typeof given === 'number' && schema.safeParse(String(given)).success
    const demand = isMissing ? 'is required:' : isNumber ? `must be text ("${given}"):` : 'must be'
    report(path, `${path} ${demand} ${allowedBy(schema) ?? 'an object'}.`)
  }
  for (const { path, message } of unknown) report(path, message)
}

type FieldStep = { path: string; schema: z.ZodType; value: unknown; isMissing: boolean; isItem: boolean }

/** The steps from the field down to the issue, up to the last step that has a schema. */
function findSteps(
  path: readonly PropertyKey[],
  { name, field, value }: { name: string; field: z.ZodType; value: unknown },
): FieldStep[] {
  const steps: FieldStep[] = [{ path: name, schema: field, value, isMissing: false, isItem: false }]
  for (const step of path) {
    const { path, schema, value } = steps.at(-1) as FieldStep
    const container = innermostSchema(schema)
    const isItem = container instanceof z.ZodArray
    const next = isItem ? container.element : container instanceof z.ZodObject && container.shape[String(step)]
    if (!next) break
    steps.push({
      path: `${path}.${String(step)}`,
      schema: next as z.ZodType,
      value: (value as Record<PropertyKey, unknown>)[step],
      isMissing: isPlainObject(value) && !Object.hasOwn(value, step),
      isItem,
    })
  }
  return steps
}

/** Whether errors are reported at this step. The errors of an item that is not an object are reported at its list. */
function isReportable({ schema, isItem }: FieldStep): boolean {
  return !isItem || innermostSchema(schema) instanceof z.ZodObject
}

type UnknownField = { path: string; meant: string | null; message: string }

/** The unknown names in a strict object, each with the path of the field that it may mean. */
function findUnknownNames(steps: FieldStep[], issue: z.core.$ZodIssue): UnknownField[] {
  const { path, schema, value } = steps.at(-1) as FieldStep
  const object = innermostSchema(schema)
  if (issue.code !== 'unrecognized_keys' || !(object instanceof z.ZodObject)) return []
  const known = Object.keys(object.shape)
  const isSent = (name: string) => Object.hasOwn(value as object, name)
  return issue.keys.map((key) => {
    const meant = findIntendedName(key, [...known.filter((name) => !isSent(name)), ...known.filter(isSent)])
    const advice = meant ? `Did you mean "${meant}"?` : `Allowed: ${known.join(', ')}.`
    return {
      path: `${path}.${key}`,
      meant: meant && `${path}.${meant}`,
      message: `Unknown field "${path}.${key}". ${advice}`,
    }
  })
}
