import type { Catalog, Feature } from '../../core/catalog/catalog.ts'

/**
 * Returns the text of a `.d.ts` that declares the catalog's keys for the client: then `check(id, 'exprot')` does not compile,
 * and `value()` has the config's type.
 */
export function writeDeclarations({ features }: Catalog): string {
  return [
    '// Written by "entitlements types". Do not edit it: change the catalog, and run the command again.',
    "import '@entitlements-service/client'",
    '',
    "declare module '@entitlements-service/client' {",
    '  interface Features {',
    ...Array.from(features.values(), declare),
    '  }',
    '}',
    '',
  ].join('\n')
}

function declare(feature: Feature): string {
  const { key, name, description, kind } = feature
  const comment = [name, description].filter(Boolean).join(': ').replaceAll(/\s+/g, ' ').replaceAll('*/', '* /')
  const type = kind === 'config' ? `{ kind: 'config'; value: ${valueTypeOf(feature)} }` : `{ kind: '${kind}' }`
  return `    /** ${comment} */\n    ${/^[a-z_][a-z0-9_]*$/.test(key) ? key : `'${key}'`}: ${type}`
}

function valueTypeOf({ value_type: type, options }: Feature): string {
  switch (type) {
    case 'enum':
      return (options ?? []).map(quote).join(' | ')
    case 'json':
    case null:
      return 'unknown'
    default:
      return type
  }
}

/** The text as a TypeScript string in single quotes. */
function quote(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
