import { type FieldError, validationError } from '../src/core/errors.ts'
import { Unread } from '../src/core/input.ts'
import { isStorableText } from '../src/core/json.ts'

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
 * are refused. A known parameter that is repeated is refused there too; one that is empty or wrongly encoded is null, which
 * no input takes for a parameter, so that the refusal says what is allowed.
 */
export function parseQuery(url: string, parameters: QueryParameters): Record<string, unknown> {
  const input: Record<string, unknown> = Object.create(null)
  const errors: FieldError[] = []
  for (const [name, texts] of readPairs(url)) {
    const { read, family, part } = findReader(name, parameters)
    const [text] = texts
    if (Object.hasOwn(parameters, `${name}[]`)) {
      errors.push({ path: name, message: `${name} must name what it filters, as in ${name}[key]=value.` })
    } else if (read && family !== undefined && part !== undefined) {
      input[family] ??= Object.create(null)
      if (texts.length > 1) errors.push({ path: name, message: `${name} must be given once.` })
      else if (!text) errors.push({ path: name, message: `${name} must have a value.` })
      else if (!isStorableText(part + text)) errors.push({ path: name, message: `${name} must not contain U+0000.` })
      else Object.assign(input[family] as object, { [part]: read(text) })
    } else if (read) {
      input[name] = texts.length > 1 ? new Unread(`${name} must be given once.`) : text ? read(text) : null
    } else {
      input[name] = text
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

/** The texts of each parameter in the order of its first one; null is one that does not decode. */
function readPairs(url: string): Map<string, (string | null)[]> {
  const pairs = new Map<string, (string | null)[]>()
  const start = url.indexOf('?')
  if (start === -1) return pairs
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue
    const [name = '', ...text] = pair.split('=')
    const texts = pairs.get(decode(name) ?? name) ?? []
    texts.push(decode(text.join('=')))
    pairs.set(decode(name) ?? name, texts)
  }
  return pairs
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}
