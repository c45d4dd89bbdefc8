import {
  type DocumentNode,
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLObjectType,
  introspectionTypes,
  isIntrospectionType,
  isObjectType,
  TypeNameMetaFieldDef,
  visit,
} from 'graphql'
import { bytesOf } from './budget-plugin.ts'
import type { GraphqlContext } from './context.ts'

const readers = new WeakMap<DocumentNode, boolean>()

/** Whether a document reads the schema; `__typename` does not. */
export function isIntrospection(document: DocumentNode): boolean {
  const known = readers.get(document)
  if (known !== undefined) return known
  let found = false
  visit(document, {
    Field({ name: { value } }) {
      if (value === '__schema' || value === '__type') found = true
    },
  })
  readers.set(document, found)
  return found
}

/**
 * Counts the answers of introspection, field by field. Its types and `__typename` belong to GraphQL itself, so this
 * changes them in place, once in a process: no other hook sees each of their fields.
 */
export function countIntrospection(): void {
  count(TypeNameMetaFieldDef, isIntrospectionType)
  for (const type of introspectionTypes) {
    if (isObjectType(type)) for (const field of Object.values(type.getFields())) count(field, () => true)
  }
}

function count(field: GraphQLField<unknown, unknown>, isOfSchema: (parent: GraphQLObjectType) => boolean): void {
  const { resolve = defaultFieldResolver } = field
  field.resolve = (parent, args, context, info) => {
    const value = resolve(parent, args, context, info)
    // No budget when the schema is printed, outside of any request.
    const { budget } = (context ?? {}) as Partial<GraphqlContext>
    const bytes = String(info.path.key).length + 4 + bytesOf(value)
    if (isOfSchema(info.parentType)) budget?.takeIntrospection(1, bytes)
    else budget?.takeAnswer(0, bytes)
    return value
  }
}
