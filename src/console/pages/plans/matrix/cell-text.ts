import { parseValueText, toValueText } from '../../../components/form/value-text.ts'
import type { Value } from '../../../components/text/value.ts'
import type { Feature } from '../plan.ts'

type ParsedCell = { value: Value | null } | { problem: string }

/** An empty cell grants nothing, so an empty string is written with its quotes. */
const emptyString = '""'

export function toCellText(feature: Feature, value: Value | null): string {
  if (value === null) return ''
  return toValueText(feature, value) || emptyString
}

export function parseCellText(feature: Feature, text: string): ParsedCell {
  if (text.trim() === '') return { value: null }
  if (feature.valueType === 'STRING' && text === emptyString) return parseValueText(feature, '')
  return parseValueText(feature, text)
}

/** A hint on what may be typed. */
export function hintOf({ kind, valueType }: Feature): string {
  if (kind === 'LIMIT') return 'A whole number, or “unlimited”.'
  switch (valueType) {
    case 'NUMBER':
      return 'A number.'
    case 'STRING':
      return 'Text.'
    default:
      return 'Choose a value.'
  }
}
