import type { ApiExample } from '../../components/api/api-examples.ts'

/** Saves the address; before there is one, the placeholder of the form. */
export function saveWebhook(url: string): ApiExample {
  return {
    method: 'PUT',
    path: '/org/webhook',
    body: { url },
    graphql: {
      document: 'mutation Save($input: PutWebhookInput!) { putWebhook(input: $input) { secret webhook { url } } }',
      variables: { input: { url } },
    },
  }
}
