import { type FieldError, isServerError } from '../../api/errors.ts'
import { toAdvice } from './advice.ts'

/** An error that the form finds without the server, and shows at the field. */
export class FieldProblem extends Error {
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

/**
 * Finds the form's field for each message of an error, and rewords the message as advice. The messages of `details.fields` have
 * paths, and a conflict names its field. `rest` is the whole error if one of its messages belongs to no field.
 */
export function assignErrorsToFields(
  error: Error,
  values: object,
): { byField: Map<string, string>; rest: Error | null } {
  const byField = new Map<string, string>()
  if (error instanceof FieldProblem) return { byField: byField.set(error.field, error.message), rest: null }
  if (!isServerError(error)) return { byField, rest: error }
  const fields = Object.keys(values)
  let isPlaced = true
  for (const { path, message } of errorsOf(error.fields, error.details, error.message)) {
    const field = findField(path, fields)
    if (field === null) isPlaced = false
    else if (!byField.has(field)) byField.set(field, adviseAt(values, path, message))
  }
  return { byField, rest: isPlaced && byField.size > 0 ? null : error }
}

function errorsOf(fields: FieldError[], details: Record<string, unknown> | null, message: string): FieldError[] {
  if (fields.length > 0) return fields
  const field = details?.field
  // A conflict names the field as the REST API does.
  return typeof field === 'string' ? [{ path: toCamelCase(field), message }] : []
}

/** An error at "options.2" is shown at "options" if the items have no fields of their own. Paths may begin with "input.". */
function findField(path: string, fields: readonly string[]): string | null {
  const names = path.split('.')
  if (names[0] === 'input') names.shift()
  for (let length = names.length; length > 0; length--) {
    const name = names.slice(0, length).join('.')
    if (fields.includes(name)) return name
  }
  return null
}

/** What the person should do about the field. */
function adviseAt(values: object, path: string, message: string): string {
  const steps = path.split('.').filter((step, index) => index > 0 || step !== 'input')
  const value = steps.reduce<unknown>((within, step) => (within as Record<string, unknown> | undefined)?.[step], values)
  const advice = toAdvice(withoutFieldName(message, path), { path, value })
  // For an item of a list, the message begins with the item's line number.
  const line = steps.find((step) => /^\d+$/.test(step))
  return line === undefined ? advice : `Line ${Number(line) + 1}: ${advice}`
}

/** Removes the field's name from the start of a message that is shown at the labeled field: "Must be a string of …". */
export function withoutFieldName(message: string, path: string): string {
  const [first = ''] = message.split(' ', 1)
  // The message names the field as the REST API does.
  if (toCamelCase(first) !== path) return message
  const rest = message.slice(first.length + 1)
  return rest.charAt(0).toUpperCase() + rest.slice(1)
}

function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}
