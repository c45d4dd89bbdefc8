import type { Catalog, Feature } from '../../core/catalog/catalog.ts'

/*
 * The manifest from which OpenFeature's command line generates typed accessors. A default is the value that code gets when the
 * flag cannot be evaluated: the answer for a subscriber without a grant, if OpenFeature has a value for that.
 */

const schema = 'https://raw.githubusercontent.com/open-feature/cli/refs/heads/main/schema/v0/flag-manifest.json'

type Flag = {
  flagType: 'boolean' | 'string' | 'integer' | 'float' | 'object'
  defaultValue: unknown
  description: string
}

export function writeManifest({ features }: Catalog): string {
  const flags = Object.fromEntries(Array.from(features, ([key, feature]) => [key, toFlag(feature)]))
  return `${JSON.stringify({ $schema: schema, flags }, null, 2)}\n`
}

function toFlag(feature: Feature): Flag {
  const { name, description } = feature
  return { ...typeOf(feature), description: [name, description].filter(Boolean).join(': ') }
}

function typeOf({ kind, value_type: type, options }: Feature): Pick<Flag, 'flagType' | 'defaultValue'> {
  if (kind === 'flag') return { flagType: 'boolean', defaultValue: false }
  if (kind === 'limit') return { flagType: 'integer', defaultValue: 0 }
  switch (type) {
    case 'number':
      return { flagType: 'float', defaultValue: 0 }
    case 'boolean':
      return { flagType: 'boolean', defaultValue: false }
    case 'json':
      return { flagType: 'object', defaultValue: {} }
    default:
      return { flagType: 'string', defaultValue: options?.[0] ?? '' }
  }
}
