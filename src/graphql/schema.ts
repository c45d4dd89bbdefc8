import { GraphQLError, GraphQLSchema, isLeafType } from 'graphql'
import './fields/audit.ts'
import './fields/changes.ts'
import './fields/counts.ts'
import './fields/entitlements.ts'
import './fields/explanation.ts'
import './fields/history.ts'
import './fields/feature-usage.ts'
import './fields/features.ts'
import './fields/imports.ts'
import './fields/invites.ts'
import './fields/members.ts'
import './fields/organizations.ts'
import './fields/overrides.ts'
import './fields/plan-preview.ts'
import './fields/plans.ts'
import './fields/search.ts'
import './fields/service.ts'
import './fields/service-accounts.ts'
import './fields/subscribers.ts'
import './fields/subscriptions.ts'
import './fields/users.ts'
import './fields/webhook.ts'
import { browserOperations, resources } from '../modules/operations.ts'
import { builder } from './builder.ts'
import { countIntrospection } from './introspection.ts'
import { defineRootFields } from './root-fields.ts'

defineRootFields([...resources.flatMap(({ operations }) => operations), ...browserOperations])

/** Every operation of the service. Printed to schema.graphql by `npm run schema:print`; a test compares the two. */
export const schema = new GraphQLSchema({
  ...builder.toSchema().toConfig(),
  // The type Subscription is a resource of the service, but its name alone would make it the root of subscriptions. The
  // description makes graphql-js print the roots, so that readers of schema.graphql are not misled either.
  subscription: undefined,
  description: "The Entitlements Service: what a vendor's customers may use, by features, plans and overrides.",
})

/** The longest text that a number, a time or a name can be. */
const maxLeafLength = 1_000

for (const type of Object.values(schema.getTypeMap())) {
  if (!isLeafType(type) || ['String', 'ID', 'JSON'].includes(type.name)) continue
  const parse = type.parseValue.bind(type)
  type.parseValue = (value, hideSuggestions) => {
    if (typeof value !== 'string' || value.length <= maxLeafLength) return parse(value, hideSuggestions)
    // GraphQL would print the whole text, in each of several messages.
    throw new GraphQLError(`${type.name} cannot represent a text of ${value.length} characters.`)
  }
}

countIntrospection()
