import type { JsonSchema } from '../../src/core/input-schema.ts'
import type { OpenApiDocument } from '../openapi/document.ts'

/** The schema itself, or the component that it refers to. */
export function resolveSchema(schema: JsonSchema, { components }: OpenApiDocument): JsonSchema {
  if (typeof schema.$ref !== 'string') return schema
  return components.schemas[nameOf(schema.$ref)] as JsonSchema
}

export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** The components that the page links to. A body is shown with its operation, and a shape with its union. */
export function findLinked({ paths, components }: OpenApiDocument): Set<string> {
  const answers = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ responses }) => responses))
  return findReferred([answers, components.responses, components.schemas])
}

/** The components that these parts of the document refer to, except the shapes of a union. */
export function findReferred(parts: object): Set<string> {
  const found = new Set<string>()
  visit(parts)
  return found

  function visit(part: unknown): void {
    if (typeof part !== 'object' || part === null) return
    const { $ref, discriminator: _, oneOf: _shapes, ...rest } = part as JsonSchema
    if (typeof $ref === 'string') found.add(nameOf($ref))
    for (const inner of Object.values(rest)) visit(inner)
  }
}
