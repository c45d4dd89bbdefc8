import { type ApiExample, readExample, writeExample } from '../../components/api/api-examples.ts'

/** The request that saves the address of the webhook. */
export function saveWebhookExample(url: string): ApiExample {
  const answer = 'secret webhook { url }'
  return writeExample({ route: 'PUT /org/webhook', mutation: 'putWebhook', input: { url }, answer })
}

export const deleteWebhookExample = writeExample({ route: 'DELETE /org/webhook', mutation: 'deleteWebhook' })

export const rotateWebhookExample = writeExample({
  route: 'POST /org/webhook/rotate',
  mutation: 'rotateWebhook',
  answer: 'secret',
})

/** The request that reads an event with its body and its attempts. */
export function readDeliveryExample(id: string): ApiExample {
  return readExample(
    '/org/webhook/events/{id}',
    `query Event($id: ID!) {
        webhookEvent(eventId: $id) { state body attempts { number startedAt durationMs status error answer headers } }
      }`,
    { id },
  )
}
