import type { FeatureKind, ValueType } from '../../generated/features.ts'
import { formatNumber } from '../text/number.ts'
import type { Value } from '../text/value.ts'
import { findJsonProblem } from './json-problem.ts'

/** The part of a feature that describes its values. */
export type ValueShape = {
  kind: FeatureKind
  valueType: ValueType | null
  options: readonly string[] | null
}

type ParsedValue = { value: Value } | { problem: string }

/** The text that people type for an unlimited limit; they may also type "∞". */
export const unlimitedText = 'unlimited'

/** Converts a value to the text that a person would type, for the input and the draft. */
export function toValueText({ valueType }: ValueShape, value: Value): string {
  switch (value.kind) {
    case 'FLAG':
      return value.allowed ? 'on' : 'off'
    case 'LIMIT':
      return value.limit === null ? unlimitedText : String(value.limit)
    case 'CONFIG':
      // A JSON value that is a string keeps its quotes.
      return typeof value.value === 'string' && valueType !== 'JSON'
        ? value.value
        : JSON.stringify(value.value, null, 2)
  }
}

/** Parses a typed value, or says what is wrong with the text. */
export function parseValueText({ kind, valueType, options }: ValueShape, text: string): ParsedValue {
  switch (kind) {
    case 'FLAG':
      return { value: { kind, allowed: text === 'on' } }
    case 'LIMIT':
      return parseLimit(text.trim())
    case 'CONFIG':
      return parseConfig(valueType, options ?? [], text)
  }
}

function parseLimit(text: string): ParsedValue {
  if (/^(∞|unlimited)$/i.test(text)) return { value: { kind: 'LIMIT', limit: null } }
  // The console shows numbers with commas, so people paste them.
  const digits = /^\d{1,3}(,\d{3})+$/.test(text) ? text.replaceAll(',', '') : text
  const limit = Number(digits)
  if (!/^\d+$/.test(digits) || !Number.isSafeInteger(limit)) return { problem: 'Enter a whole number, or “unlimited”.' }
  return { value: { kind: 'LIMIT', limit } }
}

function parseConfig(valueType: ValueType | null, options: readonly string[], text: string): ParsedValue {
  switch (valueType) {
    case 'NUMBER': {
      const number = Number(text)
      return text.trim() === '' || !Number.isFinite(number) ? { problem: 'Enter a number.' } : config(number)
    }
    case 'BOOLEAN':
      return text === 'true' || text === 'false' ? config(text === 'true') : { problem: 'Choose true or false.' }
    case 'ENUM':
      return options.includes(text) ? config(text) : { problem: 'Choose one of the options.' }
    case 'JSON':
      return parseJson(text)
    default:
      return config(text)
  }
}

const utf8 = new TextEncoder()
/** The server's limit for the JSON of a config value. */
const maxJsonBytes = 64 * 1024

function parseJson(text: string): ParsedValue {
  if (text.trim() === '') return { problem: 'Enter JSON, such as {"a": 1}.' }
  try {
    const value: unknown = JSON.parse(text)
    if (value === null) return { problem: 'Enter a value other than null.' }
    const bytes = utf8.encode(JSON.stringify(value)).length
    return bytes <= maxJsonBytes ? config(value) : { problem: describeTooLarge(bytes) }
  } catch {
    const found = findJsonProblem(text)
    return {
      problem: found
        ? `Not JSON: line ${found.line}, column ${found.column}: expected ${found.expected}.`
        : 'Not JSON.',
    }
  }
}

function describeTooLarge(bytes: number): string {
  return `Use at most ${formatNumber(maxJsonBytes)} bytes of JSON; this has ${formatNumber(bytes)}.`
}

function config(value: unknown): ParsedValue {
  return { value: { kind: 'CONFIG', value } }
}
