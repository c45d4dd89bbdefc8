import { apiKeyAnswer, createdApiKeyAnswer } from '../../modules/service-accounts/api-key.ts'
import { listApiKeys, loadApiKeyPages } from '../../modules/service-accounts/read-api-keys.ts'
import { listServiceAccounts } from '../../modules/service-accounts/read-service-accounts.ts'
import { serviceAccountAnswer } from '../../modules/service-accounts/service-account.ts'
import { builder } from '../builder.ts'
import { defineType } from '../output-type.ts'
import { connectionOf, pageArgs, pageComplexity, pageField, readArgs, toConnection } from '../page.ts'
import { markNestedOnly } from '../root-fields.ts'

const ApiKeyType = defineType(apiKeyAnswer)

markNestedOnly(listApiKeys)

const ServiceAccountType = defineType(serviceAccountAnswer, {
  fields: (t) => ({
    apiKeys: t.field({
      type: connectionOf(ApiKeyType),
      labels: listApiKeys.labels,
      description: listApiKeys.summary,
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

builder.prismaObjectFields('Organization', (t) => ({
  serviceAccounts: t.field({
    ...pageField(listServiceAccounts, ServiceAccountType),
    labels: listServiceAccounts.labels,
  }),
}))

defineType(createdApiKeyAnswer, {
  except: [...createdApiKeyAnswer.fields.keys()],
  fields: (t) => ({
    apiKey: t.field({ type: ApiKeyType, description: 'The key, without its secret.', resolve: (created) => created }),
    key: t.exposeString('key', { description: 'The key itself, shown only once.' }),
  }),
})
