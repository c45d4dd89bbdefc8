export type JsonSchema = { [name: string]: unknown }

/** The places of a JSON Schema that say nothing, or set no limit, by path: `features[].name`. */
export function findLimitless(root: JsonSchema): string[] {
  const found: string[] = []
  const seen = new Set<string>()
  visit(root, '')
  return found

  function visit(schema: JsonSchema, path: string): void {
    if (typeof schema.$ref === 'string') {
      if (seen.has(schema.$ref)) return
      seen.add(schema.$ref)
      visit((root.$defs as Record<string, JsonSchema>)[schema.$ref.replace('#/$defs/', '')] as JsonSchema, path)
      return
    }
    const parts = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
    if (parts) {
      for (const part of parts) visit(part, path)
      return
    }
    if (!isLimited(schema)) found.push(path)
    if (schema.items) visit(schema.items as JsonSchema, `${path}[]`)
    for (const [name, property] of Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)) {
      visit(property, path === '' ? name : `${path}.${name}`)
    }
    for (const inner of ['additionalProperties', 'propertyNames']) {
      if (schema[inner]) visit(schema[inner] as JsonSchema, `${path}.<${inner === 'propertyNames' ? 'name' : 'value'}>`)
    }
  }
}

function isLimited(schema: JsonSchema): boolean {
  if ('const' in schema || 'enum' in schema) return true
  switch (schema.type) {
    case 'boolean':
    case 'null':
      return true
    case 'string':
      return ['maxLength', 'pattern', 'format'].some((name) => name in schema)
    case 'integer':
    case 'number':
      return 'minimum' in schema && 'maximum' in schema
    case 'array':
      return 'maxItems' in schema && 'items' in schema
    case 'object':
      return schema.additionalProperties === false || ('propertyNames' in schema && 'additionalProperties' in schema)
    default:
      return false
  }
}
