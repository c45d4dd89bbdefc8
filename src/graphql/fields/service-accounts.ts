import type { ApiKey, CreatedApiKey } from '../../modules/service-accounts/api-key.ts'
import { createApiKey } from '../../modules/service-accounts/create-api-key.ts'
import { createServiceAccount } from '../../modules/service-accounts/create-service-account.ts'
import { deleteApiKey } from '../../modules/service-accounts/delete-api-key.ts'
import { deleteServiceAccount } from '../../modules/service-accounts/delete-service-account.ts'
import { listApiKeys, loadApiKeyPages } from '../../modules/service-accounts/read-api-keys.ts'
import { listServiceAccounts, readServiceAccount } from '../../modules/service-accounts/read-service-accounts.ts'
import type { ServiceAccount } from '../../modules/service-accounts/service-account.ts'
import { updateServiceAccount } from '../../modules/service-accounts/update-service-account.ts'
import { builder } from '../builder.ts'
import { defineMutation } from '../mutation.ts'
import { defineConnection, pageArgs, pageComplexity, pageField, readArgs, toConnection } from '../page.ts'
import { RoleEnum } from './members.ts'

const ApiKeyType = builder.objectRef<ApiKey>('ApiKey').implement({
  description: 'A key of a service account, but for the key itself.',
  fields: (t) => ({
    keyId: t.exposeID('id'),
    keyPrefix: t.exposeString('prefix', { description: 'The first 12 characters.' }),
    name: t.exposeString('name'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true, description: 'To the minute.' }),
  }),
})

const ApiKeyConnection = defineConnection<ApiKey>('ApiKey', ApiKeyType)

const ServiceAccountType = builder.objectRef<ServiceAccount>('ServiceAccount').implement({
  description: 'A member that is a program: it acts by its keys.',
  fields: (t) => ({
    serviceAccountId: t.exposeID('id'),
    memberId: t.exposeID('memberId'),
    name: t.exposeString('name'),
    role: t.field({ type: RoleEnum, resolve: ({ role }) => role }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    apiKeys: t.field({
      type: ApiKeyConnection,
      labels: listApiKeys.labels,
      args: pageArgs,
      complexity: pageComplexity,
      resolve: async ({ id }, args, context, info) => {
        const input = await readArgs(listApiKeys, args)
        const page = await context.nested(info, id, (scope, ids) => loadApiKeyPages(scope, ids, input))
        return toConnection(page ?? { items: [], hasMore: false }, args, (key) => key.id)
      },
    }),
  }),
})

const ServiceAccountConnection = defineConnection<ServiceAccount>('ServiceAccount', ServiceAccountType)

builder.queryFields((t) => ({
  [listServiceAccounts.name]: t.field(pageField(listServiceAccounts, ServiceAccountConnection)),
  [readServiceAccount.name]: t.field({
    type: ServiceAccountType,
    args: { serviceAccountId: t.arg.id({ required: true }) },
    resolve: (_root, { serviceAccountId }, context) => context.run(readServiceAccount, { serviceAccountId }),
  }),
}))

builder.prismaObjectFields('Organization', (t) => ({
  serviceAccounts: t.field({
    ...pageField(listServiceAccounts, ServiceAccountConnection),
    labels: listServiceAccounts.labels,
  }),
}))

const CreatedApiKeyType = builder.objectRef<CreatedApiKey>('CreatedApiKey').implement({
  description: 'A key as it is made.',
  fields: (t) => ({
    apiKey: t.field({ type: ApiKeyType, resolve: (created) => created }),
    key: t.exposeString('key', { description: 'The key itself, told this once.' }),
  }),
})

defineMutation(createServiceAccount, {
  type: ServiceAccountType,
})

defineMutation(updateServiceAccount, {
  type: ServiceAccountType,
})

defineMutation(deleteServiceAccount, {
  type: 'ID',
  description: 'With its member and its keys. Answers the id that is gone.',
})

defineMutation(createApiKey, {
  type: CreatedApiKeyType,
})

defineMutation(deleteApiKey, {
  type: 'ID',
  description: 'Revokes it at once. Answers the id that is gone.',
})
