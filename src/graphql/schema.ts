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

/** The schema with all operations. `npm run schema:print` prints it to schema.graphql; a test compares the two. */
export const schema = new GraphQLSchema({
  ...builder.toSchema().toConfig(),
  // The type Subscription is a resource of the service, but because of its name it would become the root type of GraphQL
  // subscriptions. The description makes graphql-js print the root types, so that readers of schema.graphql see this too.
  subscription: undefined,
  description: "The Entitlements Service: what a vendor's customers may use, by features, plans and overrides.",
})

/** The maximum length of the text of a number, a time or a name. */
const maxLeafLength = 1_000

for (const type of Object.values(schema.getTypeMap())) {
  if (!isLeafType(type) || ['String', 'ID', 'JSON'].includes(type.name)) continue
  const parse = type.parseValue.bind(type)
  type.parseValue = (value, hideSuggestions) => {
    if (typeof value !== 'string' || value.length <= maxLeafLength) return parse(value, hideSuggestions)
    // graphql-js would print the whole text in several messages.
    throw new GraphQLError(`${type.name} cannot represent a string of ${value.length} characters.`)
  }
}

countIntrospection()
