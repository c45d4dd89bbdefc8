export type JsonSchema = { [name: string]: unknown }

/** The paths in a JSON Schema that allow anything or set no limit, such as `features[].name`. */
export function findUnlimitedFields(root: JsonSchema): string[] {
  const found: string[] = []
  visit(root, '')
  return found

  function visit(schema: JsonSchema, path: string): void {
    if (typeof schema.$ref === 'string') {
      // Any JSON: the fields that use it state its limits.
      if (schema.$ref === '#/$defs/JsonValue') found.push(path)
      else visit(resolve(schema, root), path)
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
      if (typeof schema[inner] === 'object')
        visit(schema[inner] as JsonSchema, `${path}.<${inner === 'propertyNames' ? 'name' : 'value'}>`)
    }
  }
}

/** The schema itself, or the definition of the root that it refers to. */
export function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (typeof schema.$ref !== 'string') return schema
  return (root.$defs as Record<string, JsonSchema>)[schema.$ref.replace('#/$defs/', '')] as JsonSchema
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
