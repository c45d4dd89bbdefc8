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

/** An event with its body and the attempts made. */
export function readDelivery(id: string): ApiExample {
  return {
    method: 'GET',
    path: `/org/webhook/events/${id}`,
    graphql: {
      document: `query Event($id: ID!) {
        webhookEvent(eventId: $id) { state body attempts { number startedAt durationMs status error answer headers } }
      }`,
      variables: { id },
    },
  }
}
