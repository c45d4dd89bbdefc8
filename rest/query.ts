import { type FieldError, validationError } from '../src/core/errors.ts'
import type { Field, Fields } from '../src/core/field-type.ts'
import { UnreadableValue } from '../src/core/input.ts'
import { isStorableText } from '../src/core/json.ts'
import { decodePercent } from '../src/core/percent-encoding.ts'
import { parseTimestamp } from '../src/core/timestamp.ts'
import type { AnyOperation } from '../src/operation/operation.ts'

/** Whether the input is in the query: a delete sends no body, and the body of a bulk write is its lines. */
export function readsQuery({ kind, method, input }: Pick<AnyOperation, 'kind' | 'method' | 'input'>): boolean {
  return method === 'GET' || kind === 'bulk_write' || (method === 'DELETE' && input.fields.size > 0)
}

/** The input fields that are in the query. */
export function queryFieldsOf({ kind, input: { fields } }: Pick<AnyOperation, 'kind' | 'input'>): Fields {
  if (kind !== 'bulk_write') return fields
  return new Map([...fields].filter(([, { type }]) => type.kind !== 'map'))
}

/**
 * Converts the query to the operation's input. Unknown parameters stay as they are, because the input decides whether to refuse
 * them. Refuses a repeated known parameter. An empty or wrongly encoded parameter becomes null, which no input accepts, so that
 * the refusal says what is allowed. A list is a repeated parameter; a map has a parameter `name[<key>]` for each key.
 */
export function parseQuery(url: string, fields: Fields): Record<string, unknown> {
  const input: Record<string, unknown> = Object.create(null)
  const errors: FieldError[] = []
  for (const [name, texts] of readParameters(url)) {
    const { field, map, part } = findField(name, fields)
    const [text] = texts
    if (field?.type.kind === 'map') {
      errors.push({ path: name, message: `${name} must have a key in brackets, as in ${name}[key]=value.` })
    } else if (map !== undefined && part !== undefined) {
      input[map] ??= Object.create(null)
      if (texts.length > 1) errors.push({ path: name, message: `${name} must be given once.` })
      else if (!text) errors.push({ path: name, message: `${name} must have a value.` })
      else if (!isStorableText(part + text)) errors.push({ path: name, message: `${name} must not contain U+0000.` })
      else Object.assign(input[map] as object, { [part]: text })
    } else if (field?.type.kind === 'list') {
      input[name] = texts.map((text) => text || null)
    } else if (field && texts.length > 1) {
      input[name] = new UnreadableValue(`${name} must be given once.`)
    } else if (field) {
      input[name] = text ? readText(name, field, text) : null
    } else {
      input[name] = text
    }
  }
  if (errors.length > 0) throw validationError(errors)
  return input
}

type FieldMatch = { field?: Field | undefined; map?: string | undefined; part?: string | undefined }

function findField(name: string, fields: Fields): FieldMatch {
  const [, map, part] = /^(\w+)\[([^[\]]+)\]$/.exec(name) ?? []
  if (map === undefined) return { field: fields.get(name) }
  return fields.get(map)?.type.kind === 'map' ? { map, part } : {}
}

/** Converts text to the field's type. Text that cannot be converted stays text, which the input refuses. */
function readText(name: string, { type, notes }: Field, text: string): unknown {
  if (type.kind !== 'scalar') return text
  switch (type.name) {
    case 'Int':
    case 'SafeInt':
      return readInteger(text)
    case 'Boolean':
      return readBoolean(text, notes.takesDigits === true)
    case 'DateTime':
      return hasUnencodedPlus(text) ? new UnreadableValue(`${name} must have ${encodedPlus}.`) : text
    default:
      return text
  }
}

const encodedPlus =
  'its plus sign encoded as %2B, as in 2027-01-31T10:00:00%2B01:00: in a URL, a plus sign means a space'

/** Whether a timestamp had a plus sign before its offset, which was decoded to a space. */
function hasUnencodedPlus(text: string): boolean {
  return text.includes(' ') && parseTimestamp(text.replace(' ', '+')) !== null
}

/** Reads a whole number of any length. Beyond the safe integers, returns the largest or smallest of them. */
function readInteger(text: string): unknown {
  if (!/^-?\d+$/.test(text)) return text
  return Math.max(Math.min(Number(text), Number.MAX_SAFE_INTEGER), Number.MIN_SAFE_INTEGER)
}

function readBoolean(text: string, takesDigits: boolean): unknown {
  if (text === 'true' || (takesDigits && text === '1')) return true
  if (text === 'false' || (takesDigits && text === '0')) return false
  return text
}

/** Returns each parameter's texts, in the order in which the names first appear; null for a text that cannot be decoded. */
function readParameters(url: string): Map<string, (string | null)[]> {
  const pairs = new Map<string, (string | null)[]>()
  const start = url.indexOf('?')
  if (start === -1) return pairs
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue
    const end = pair.indexOf('=')
    const encodedName = end === -1 ? pair : pair.slice(0, end)
    const name = decode(encodedName) ?? encodedName
    const texts = pairs.get(name) ?? []
    texts.push(end === -1 ? '' : decode(pair.slice(end + 1)))
    pairs.set(name, texts)
  }
  return pairs
}

function decode(text: string): string | null {
  return decodePercent(text.replaceAll('+', ' '))
}
