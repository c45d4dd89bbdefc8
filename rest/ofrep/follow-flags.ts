import { z } from 'zod'
import { startOfStream } from '../../src/access/subscriber-token.ts'
import { defineInput } from '../../src/core/input.ts'
import { defineFollow } from '../../src/operation/operation.ts'
import type { FollowRoute, WriteEvents } from '../route.ts'
import { noCookies } from '../route.ts'

/** A stream that says when a subscriber's flags may have changed. Its address is in the bulk answer to a token. */
export const followFlags = defineFollow({
  name: 'followFlags',
  summary: "Hear when a subscriber's flags should be evaluated again.",
  route: '/ofrep/v1/events',
  service: 'api',
  labels: ['entitlements:read'],
  tokens: 'address',
  cors: true,
  perSecond: 20,
  input: defineInput(
    {
      token: z.string().describe('a token from an address in eventStreams'),
      after: z.string().optional().describe('the id of an event of the stream'),
    },
    { unknown: 'ignore', term: 'query parameter' },
  ),
  answer: null,
  refusals: ['RATE_LIMITED'],
  toInput: ({ token, after = startOfStream(token) }) => ({ after, limit: 1_000, waitMs: 0 }),
})

/** However many changes one read finds, the flags are evaluated again only once. */
const writeRefetch: WriteEvents = ({ changes, isReset }, { cursor }) => {
  const isStale = isReset || changes.length > 0
  return `id: ${cursor}\n${isStale ? 'data: {"type":"refetchEvaluation"}\n' : ''}\n`
}

/** Not in the OpenAPI document: clients open the address that they were given. */
export const followFlagsRoute: FollowRoute = {
  operation: followFlags,
  reply: () => undefined,
  cookies: noCookies,
  writeEvents: writeRefetch,
}
