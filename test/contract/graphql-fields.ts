import { type GraphQLField, isObjectType } from 'graphql'
import { schema } from '../../src/graphql/schema.ts'
import type { AnyOperation } from '../../src/operation/operation.ts'

/** Reads that are a field of another object in the GraphQL schema. Contract: GraphQL. */
export const nestedFields: Record<string, string> = {
  delivery: 'Subscriber',
  denials: 'Feature',
  subscriptions: 'Subscriber',
  overrides: 'Subscriber',
  override: 'Subscriber',
  subscriberHistory: 'Subscriber',
  featureHistory: 'Feature',
  planHistory: 'Plan',
  apiKeys: 'ServiceAccount',
  organizations: 'User',
  sessions: 'User',
  userAuditEvents: 'User',
}

/** Fields that are not named after their operation, because the object that they belong to makes it clear. */
export const nestedNames: Record<string, string> = {
  userAuditEvents: 'auditEvents',
  allOverrides: 'overrides',
  subscriberHistory: 'history',
  featureHistory: 'history',
  planHistory: 'history',
}

/**
 * Root fields without an operation in the REST table: the caller; a browser's sign-out; the preview of an invite, because its
 * token must not be in an address; and the check of several features, which shares its row with the check of one.
 */
export const fieldsWithoutRow = ['viewer', 'signOut', 'invitation', 'checks']

export function fieldsOf(typeName: string) {
  const type = schema.getType(typeName)
  if (!isObjectType(type)) throw new Error(`${typeName} is no object type`)
  return type.getFields()
}

export function isWrite({ kind }: AnyOperation): boolean {
  return ['write', 'bulk_write', 'user_write', 'sign_in', 'issue'].includes(kind)
}

/** The field that calls the operation. */
export function graphqlFieldOf(operation: AnyOperation): GraphQLField<unknown, unknown> {
  const { name } = operation
  const parent = isWrite(operation) ? 'Mutation' : (nestedFields[name] ?? 'Query')
  const field = fieldsOf(parent)[nestedNames[name] ?? name]
  if (!field) throw new Error(`${parent} has no field for ${name}`)
  return field
}
