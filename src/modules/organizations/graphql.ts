import { builder } from '../../graphql/builder.ts'
import { readOrganization } from './read-organization.ts'

builder.prismaObject('Organization', {
  fields: (t) => ({
    organizationId: t.exposeID('id'),
    name: t.exposeString('name'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
})

builder.queryFields((t) => ({
  [readOrganization.name]: t.prismaField({
    type: 'Organization',
    resolve: (selection, _root, _args, context) => context.read(readOrganization, {}, {}, selection),
  }),
}))
