import { type ApiExample, writeExample } from '../../components/api/api-examples.ts'

/** Saves the address; before there is one, the placeholder of the form. */
export function saveWebhook(url: string): ApiExample {
  return writeExample({
    method: 'PUT',
    path: '/org/webhook',
    body: { url },
    mutation: 'putWebhook',
    input: { url },
    answer: 'secret webhook { url }',
  })
}

export const deleteWebhookExample = writeExample({ method: 'DELETE', path: '/org/webhook', mutation: 'deleteWebhook' })

export const rotateWebhookExample = writeExample({
  method: 'POST',
  path: '/org/webhook/rotate',
  mutation: 'rotateWebhook',
  answer: 'secret',
})

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
