import { type Feature, type Grant, unlimited } from '../../core/catalog/catalog.ts'

type GrantOrFault = { grant: Grant | null; fault: string | null }

/** The grant that the file states, or a fault. Both are null if the value grants nothing, such as `false` for a flag. */
export function readGrant(feature: Pick<Feature, 'kind' | 'value_type' | 'options'>, written: unknown): GrantOrFault {
  switch (feature.kind) {
    case 'flag':
      if (written === true) return valid({ kind: 'flag' })
      return written === false ? { grant: null, fault: null } : invalid('must be true, or left out.')
    case 'limit':
      if (written === unlimited) return valid({ kind: 'limit', limit: null })
      return isCount(written)
        ? valid({ kind: 'limit', limit: written })
        : invalid('must be a whole number from 0, or unlimited.')
    case 'config': {
      const fault = findValueFault(feature, written)
      return fault === null ? valid({ kind: 'config', value: written }) : invalid(fault)
    }
  }
}

function valid(grant: Grant): GrantOrFault {
  return { grant, fault: null }
}

function invalid(fault: string): GrantOrFault {
  return { grant: null, fault }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** Whether the value is a number that the service accepts. */
function isNumber(value: unknown): boolean {
  return Number.isFinite(value) && (Number.isSafeInteger(value) || !Number.isInteger(value))
}

/** Why the value does not fit the config feature; null when it fits. */
function findValueFault(
  { value_type: type, options }: Pick<Feature, 'value_type' | 'options'>,
  value: unknown,
): string | null {
  const quoted = typeof value === 'number' || typeof value === 'boolean' ? ` Write it in quotes: "${value}".` : ''
  switch (type) {
    case 'string': {
      const isRight = typeof value === 'string' && [...value].length <= 4096
      return isRight ? null : `must be a string of at most 4096 characters.${quoted}`
    }
    case 'number':
      return isNumber(value) ? null : 'must be a number. A whole number must be within ±(2^53 - 1).'
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be true or false.'
    case 'enum':
      return options?.includes(value as string) ? null : `must be one of ${options?.join(', ')}.`
    default:
      return value === null || value === undefined ? 'must be a value, and not null.' : null
  }
}

/** Converts the maps of YAML to plain objects, as in JSON. */
export function toPlainObject(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPlainObject)
  if (value instanceof Map) return Object.fromEntries(Array.from(value, ([key, each]) => [key, toPlainObject(each)]))
  return value
}
