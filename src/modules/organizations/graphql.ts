import { builder } from '../../graphql/builder.ts'
import { readOrganization } from './read-organization.ts'

const OrganizationType = builder.prismaObject('Organization', {
  description: 'The vendor whose key was sent.',
  fields: (t) => ({
    organizationId: t.exposeID('id'),
    name: t.exposeString('name'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
})

builder.queryFields((t) => ({
  [readOrganization.name]: t.field({
    type: OrganizationType,
    resolve: (_root, _args, context) => context.read(readOrganization, {}),
  }),
}))
