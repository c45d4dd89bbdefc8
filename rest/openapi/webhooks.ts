import { ulidPattern } from '../../src/core/ids.ts'
import type { JsonSchema } from '../../src/core/input-schema.ts'
import { toPascalCase } from '../../src/core/names.ts'
import { eventBodies } from '../../src/events/event-body.ts'
import { exampleOf } from './examples.ts'
import type { Parameter } from './parameters.ts'
import type { Schemas } from './schemas.ts'

export type DescribedWebhook = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: []
  parameters: Parameter[]
  requestBody: { required: true; content: { 'application/json': { schema: JsonSchema; example?: unknown } } }
  responses: Record<string, { description: string }>
}

/** Describes the requests that receivers get, by event type. Contract: Events. */
export function describeWebhooks(tag: string, schemas: Schemas): Record<string, { post: DescribedWebhook }> {
  const described = Array.from(eventBodies, ([type, { schema, description }]): [string, { post: DescribedWebhook }] => {
    const example = exampleOf(type)?.body
    const content = { schema: schemas.ofAnswer(schema), ...(example !== undefined && { example }) }
    const post: DescribedWebhook = {
      operationId: `receive${toPascalCase(type)}`,
      summary: `The event ${type}.`,
      description: `${description} Verify the signature before anything else.`,
      tags: [tag],
      security: [],
      parameters: signatureHeaders,
      requestBody: { required: true, content: { 'application/json': content } },
      responses,
    }
    return [type, { post }]
  })
  return Object.fromEntries(described)
}

/** The headers that `signatureHeaders` in `worker/signature.ts` adds to each attempt. */
const signatureHeaders: Parameter[] = [
  {
    name: 'X-Service-Webhook-Id',
    in: 'header',
    required: true,
    description: 'The id of the event, the same on every attempt.',
    schema: { type: 'string', pattern: ulidPattern.source },
  },
  {
    name: 'X-Service-Webhook-Timestamp',
    in: 'header',
    required: true,
    description:
      'When this attempt was sent, in Unix seconds. It is signed too: refuse a request that is older than five minutes.',
    schema: { type: 'string', pattern: '^[0-9]{10,}$' },
  },
  {
    name: 'X-Service-Webhook-Signature',
    in: 'header',
    required: true,
    description:
      'HMAC-SHA256 of `<timestamp>.<body>`, over the raw bytes of the body, in lower-case hex. The key is the whole secret of ' +
      'the webhook, `whsec_` included. Compare it in constant time.',
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  },
]

const responses = {
  '2XX': { description: 'The receiver has accepted the event, so it is not sent again.' },
  default: {
    description:
      'Any other outcome is a failed attempt: a redirect, no answer in time, no connection. The event is sent again ' +
      'later, under the same id and with a new timestamp and signature, until its attempts are used up.',
  },
}
