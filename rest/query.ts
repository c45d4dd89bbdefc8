import { type FieldError, validationError } from '../src/core/errors.ts'

/** Text of a parameter to the value that the operation's input takes; what it cannot read it leaves for the input to refuse. */
type ReadParameter = (text: string) => unknown

/** By name; `name[]` stands for every `name[<part>]`, which become an object of their own by part. */
export type QueryParameters = Record<string, ReadParameter>

export const asText: ReadParameter = (text) => text

/** An integer of any length; clamped later, so that it need not be exact. */
export const asInteger: ReadParameter = (text) => {
  if (!/^-?\d+$/.test(text)) return text
  return Math.max(Math.min(Number(text), Number.MAX_SAFE_INTEGER), Number.MIN_SAFE_INTEGER)
}

export const asBoolean: ReadParameter = (text) => (text === 'true' ? true : text === 'false' ? false : text)

export const asBooleanOrDigit: ReadParameter = (text) => (text === '1' ? true : text === '0' ? false : asBoolean(text))

export const pageParameters: QueryParameters = { limit: asInteger, starting_after: asText }

/**
 * The query as the operation's input: known parameters read, unknown ones as they are, since the input says whether those
 * are refused. A known parameter that is repeated or empty is 422.
 */
export function parseQuery(url: string, parameters: QueryParameters): Record<string, unknown> {
  const start = url.indexOf('?')
  const input: Record<string, unknown> = Object.create(null)
  if (start === -1) return input

  const errors: FieldError[] = []
  const query = new URLSearchParams(url.slice(start + 1))
  for (const name of new Set(query.keys())) {
    const texts = query.getAll(name)
    const { read, family, part } = findReader(name, parameters)
    if (Object.hasOwn(parameters, `${name}[]`)) {
      errors.push({ path: name, message: `${name} must name what it filters, as in ${name}[key]=value.` })
    } else if (!read) {
      input[name] = texts[0]
    } else if (texts.length > 1) {
      errors.push({ path: name, message: `${name} must be given once.` })
    } else if (texts[0] === '') {
      errors.push({ path: name, message: `${name} must not be empty; leave it out instead.` })
    } else if (family !== undefined && part !== undefined) {
      input[family] ??= Object.create(null)
      Object.assign(input[family] as object, { [part]: read(texts[0] as string) })
    } else {
      input[name] = read(texts[0] as string)
    }
  }
  if (errors.length > 0) throw validationError(errors)
  return input
}

type Reader = { read?: ReadParameter | undefined; family?: string | undefined; part?: string | undefined }

function findReader(name: string, parameters: QueryParameters): Reader {
  const [, family, part] = /^(\w+)\[([^[\]]+)\]$/.exec(name) ?? []
  if (family === undefined)
    return Object.hasOwn(parameters, name) && !name.endsWith('[]') ? { read: parameters[name] } : {}
  return Object.hasOwn(parameters, `${family}[]`) ? { read: parameters[`${family}[]`], family, part } : {}
}
