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

const cache = new WeakMap<DocumentNode, boolean>()

/** Whether a document reads the schema; `__typename` does not. */
export function isIntrospection(document: DocumentNode): boolean {
  const cached = cache.get(document)
  if (cached !== undefined) return cached
  let readsSchema = false
  visit(document, {
    Field({ name: { value } }) {
      if (value === '__schema' || value === '__type') readsSchema = true
    },
  })
  cache.set(document, readsSchema)
  return readsSchema
}

/**
 * Makes each field of introspection count its answers. The types of introspection and `__typename` belong to graphql-js, and no
 * plugin sees their fields, so this function changes them in place. It must run once in a process.
 */
export function countIntrospection(): void {
  wrapResolve(TypeNameMetaFieldDef, isIntrospectionType)
  for (const type of introspectionTypes) {
    if (isObjectType(type)) for (const field of Object.values(type.getFields())) wrapResolve(field, () => true)
  }
}

function wrapResolve(field: GraphQLField<unknown, unknown>, isOfSchema: (parent: GraphQLObjectType) => boolean): void {
  const { resolve = defaultFieldResolver } = field
  field.resolve = (parent, args, context, info) => {
    const value = resolve(parent, args, context, info)
    // There is no budget when the schema is printed, outside of any request.
    const { budget } = (context ?? {}) as Partial<GraphqlContext>
    const bytes = String(info.path.key).length + 4 + bytesOf(value)
    if (isOfSchema(info.parentType)) budget?.countSchemaAnswer(1, bytes)
    else budget?.countAnswer(0, bytes)
    return value
  }
}
