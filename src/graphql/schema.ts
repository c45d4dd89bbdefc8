import { GraphQLSchema } from 'graphql'
import '../modules/audit/graphql.ts'
import '../modules/entitlements/graphql.ts'
import '../modules/features/graphql.ts'
import '../modules/invites/graphql.ts'
import '../modules/members/graphql.ts'
import '../modules/organizations/graphql.ts'
import '../modules/overrides/graphql.ts'
import '../modules/plans/graphql.ts'
import '../modules/service-accounts/graphql.ts'
import '../modules/subscribers/graphql.ts'
import '../modules/subscriptions/graphql.ts'
import '../modules/users/graphql.ts'
import '../modules/webhook/graphql.ts'
import { builder } from './builder.ts'
import { countIntrospection } from './introspection.ts'

/** Every operation of the service. Printed to schema.graphql by `npm run schema:print`; a test holds them together. */
export const schema = new GraphQLSchema({
  ...builder.toSchema().toConfig(),
  // The type Subscription is a noun of the service. By its name alone it would be taken for the root of subscriptions;
  // with a description the roots are printed, so that readers of schema.graphql do not take it for that either.
  subscription: undefined,
  description: 'The Entitlements Service: what the customers of a vendor may use, by features, plans and overrides.',
})

countIntrospection()
