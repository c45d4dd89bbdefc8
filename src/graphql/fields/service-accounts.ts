import { fieldsOf } from '../../core/field-type.ts'
import {
  type ApiKey,
  apiKeyAnswer,
  type CreatedApiKey,
  createdApiKeyAnswer,
} from '../../modules/service-accounts/api-key.ts'
import { createApiKey } from '../../modules/service-accounts/create-api-key.ts'
import { createServiceAccount } from '../../modules/service-accounts/create-service-account.ts'
import { deleteApiKey } from '../../modules/service-accounts/delete-api-key.ts'
import { deleteServiceAccount } from '../../modules/service-accounts/delete-service-account.ts'
import { listApiKeys, loadApiKeyPages } from '../../modules/service-accounts/read-api-keys.ts'
import {
  listServiceAccounts,
  readServiceAccount,
  serviceAccountFilterShape,
} from '../../modules/service-accounts/read-service-accounts.ts'
import { type ServiceAccount, serviceAccountAnswer } from '../../modules/service-accounts/service-account.ts'
import { updateServiceAccount } from '../../modules/service-accounts/update-service-account.ts'
import { builder } from '../builder.ts'
import { defineInputType, withoutNulls } from '../input-type.ts'
import { defineMutation } from '../mutation.ts'
import { answerFields } from '../output-type.ts'
import { defineConnection, pageArgs, pageComplexity, pageField, readArgs, toConnection } from '../page.ts'

const ApiKeyType = builder.objectRef<ApiKey>('ApiKey').implement({
  description: apiKeyAnswer.description,
  fields: (t) => answerFields(t, apiKeyAnswer),
})

const ApiKeyConnection = defineConnection<ApiKey>('ApiKey', ApiKeyType)

const ServiceAccountType = builder.objectRef<ServiceAccount>('ServiceAccount').implement({
  description: serviceAccountAnswer.description,
  fields: (t) => ({
    ...answerFields(t, serviceAccountAnswer),
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

const ServiceAccountFilterInput = defineInputType('ServiceAccountFilter', fieldsOf(serviceAccountFilterShape))

builder.queryFields((t) => ({
  [listServiceAccounts.name]: t.field({
    type: ServiceAccountConnection,
    description: listServiceAccounts.summary,
    args: builder.args((t) => ({ filter: t.field({ type: ServiceAccountFilterInput }), ...pageArgs })),
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, context) => {
      const accounts = await context.run(listServiceAccounts, withoutNulls({ ...(filter ?? {}), ...page }))
      return toConnection(accounts, page, ({ id }) => id)
    },
  }),
  [readServiceAccount.name]: t.field({
    type: ServiceAccountType,
    description: readServiceAccount.summary,
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
  description: createdApiKeyAnswer.description,
  fields: (t) => ({
    apiKey: t.field({ type: ApiKeyType, resolve: (created) => created }),
    key: t.exposeString('key', { description: 'The key itself, shown only this once.' }),
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
  note: 'Answers the id that is gone.',
})

defineMutation(createApiKey, {
  type: CreatedApiKeyType,
})

defineMutation(deleteApiKey, {
  type: 'ID',
  note: 'Answers the id that is gone.',
})
