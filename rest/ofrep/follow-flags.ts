import { z } from 'zod'
import { readStreamStart } from '../../src/access/subscriber-token.ts'
import { defineInput } from '../../src/core/input.ts'
import { defineFollow } from '../../src/operation/operation.ts'
import type { FollowRoute, WriteEvents } from '../route.ts'
import { noCookies } from '../route.ts'

/** A stream that tells clients when a subscriber's flags may have changed. Its address is in the bulk answer to a token. */
export const followFlags = defineFollow({
  name: 'followFlags',
  summary: "Learn when a subscriber's flags should be evaluated again.",
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
  toInput: ({ token, after = readStreamStart(token) }) => ({ after, limit: 1_000, waitMs: 0 }),
})

/** Writes at most one event for a page, because one evaluation is enough, however many changes the page has. */
const writeRefetch: WriteEvents = ({ changes, isReset }, { cursor }) => {
  const isStale = isReset || changes.length > 0
  return `id: ${cursor}\n${isStale ? 'data: {"type":"refetchEvaluation"}\n' : ''}\n`
}

/** This route is not in the OpenAPI document, because clients open the address from the bulk answer. */
export const followFlagsRoute: FollowRoute = {
  operation: followFlags,
  reply: () => undefined,
  cookies: noCookies,
  writeEvents: writeRefetch,
}
