/** A feature as the service's catalog describes it. */
export type ImportedFeature = {
  kind: 'flag' | 'limit' | 'config'
  /** Only for config features. */
  value_type: 'string' | 'number' | 'boolean' | 'enum' | 'json' | null
}

type OverrideResult = { override: object | null; fault: string | null }

const booleanWords = new Map([
  ...['true', 'yes', '1'].map((word) => [word, true] as const),
  ...['false', 'no', '0'].map((word) => [word, false] as const),
])

/** Converts a cell or a JSON value to an override, or to the reason why this is impossible. A null removes the override. */
export function toOverride({ kind, value_type }: ImportedFeature, value: unknown): OverrideResult {
  if (value === null) return { override: null, fault: null }
  const text = typeof value === 'string' ? value.trim() : JSON.stringify(value)
  switch (kind) {
    case 'flag': {
      const allowed = booleanWords.get(text.toLowerCase())
      return allowed === undefined ? invalid('must be true or false.') : valid({ kind, allowed })
    }
    case 'limit':
      if (text.toLowerCase() === 'unlimited') return valid({ kind, limit: null })
      return /^\d+$/.test(text) && Number.isSafeInteger(Number(text))
        ? valid({ kind, limit: Number(text) })
        : invalid(findShortenedNumber(text) ?? 'must be a whole number from 0, or unlimited.')
    case 'config': {
      const parsed = parseConfig(value_type, text)
      return parsed === undefined ? invalid(`must be a ${value_type}.`) : valid({ kind, value: parsed })
    }
  }
}

function parseConfig(type: ImportedFeature['value_type'], text: string): unknown {
  if (type === 'boolean') return booleanWords.get(text.toLowerCase())
  if (type === 'number') return text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined
  if (type !== 'json') return text
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The fault if a spreadsheet has shortened an id or a number, such as `1.5E+10`; otherwise null. */
export function findShortenedNumber(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\d+([.,]\d+)?E\+\d+$/i.test(value)) return null
  return `a spreadsheet shortened it to ${value}. Give the column the format "text", enter the whole number, and save the file again.`
}

function valid(override: object): OverrideResult {
  return { override, fault: null }
}

function invalid(fault: string): OverrideResult {
  return { override: null, fault }
}
