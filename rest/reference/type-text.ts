import { keyPattern } from '../../src/core/fields.ts'
import { ulidPattern } from '../../src/core/ids.ts'
import type { JsonSchema } from '../../src/core/input-schema.ts'
import { nameOf } from './components.ts'
import { type Html, html, join } from './html.ts'

/** The values that a schema allows, in a few words. */
export function typeText(schema: JsonSchema): Html {
  if (typeof schema.$ref === 'string') return linkTo(schema.$ref)
  const parts = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (parts) return join([...new Map(parts.map((part) => [typeText(part).text, typeText(part)])).values()], ' or ')
  if ('const' in schema) return html`<code>${String(schema.const)}</code>`
  if (Array.isArray(schema.enum))
    return join(
      schema.enum.map((value) => html`<code>${String(value)}</code>`),
      ' or ',
    )
  switch (schema.type) {
    case 'array':
      return html`list${countOf(schema)} of ${typeText((schema.items ?? {}) as JsonSchema)}`
    case 'object':
      return schema.propertyNames
        ? html`object by key, each ${typeText((schema.additionalProperties ?? {}) as JsonSchema)}`
        : html`object`
    case 'string':
      return html`${stringText(schema)}`
    default:
      return html`${String(schema.type ?? 'any JSON')}${rangeOf(schema)}`
  }
}

function linkTo(reference: string): Html {
  const name = nameOf(reference)
  return html`<a href="#${name}">${name}</a>`
}

function stringText({ format, pattern, minLength = 0, maxLength }: JsonSchema): string {
  if (format === 'date-time') return 'timestamp'
  if (pattern === ulidPattern.source) return 'id (a ULID)'
  if (pattern === keyPattern.source) return 'key'
  if (pattern && maxLength === undefined) return `string that matches ${pattern}`
  if (maxLength === undefined) return String(format ?? 'string')
  return `string, ${minLength === maxLength ? '' : `${minLength} to `}${maxLength} characters`
}

function countOf({ minItems = 0, maxItems }: JsonSchema): string {
  return maxItems === undefined ? '' : ` (${minItems} to ${maxItems})`
}

/** Omits the limits within which JSON represents numbers exactly. */
function rangeOf({ minimum, maximum, default: usual }: JsonSchema): string {
  if (minimum === Number.MIN_SAFE_INTEGER) return ''
  const range = maximum === Number.MAX_SAFE_INTEGER ? ` from ${minimum}` : ` ${minimum} to ${maximum}`
  return (minimum === undefined ? '' : range) + (usual === undefined ? '' : `, default ${usual}`)
}
