import { z } from 'zod'
import { isCursor } from '../../changes/cursors.ts'
import { maxCursorLength } from '../../changes/position.ts'
import { defineAnswer, fieldFrom } from '../../core/answer.ts'
import { asScalar, note } from '../../core/field-type.ts'
import { defineInput } from '../../core/input.ts'
import { pageSize } from '../../core/pagination.ts'
import { StoredJson } from '../../core/stored-json.ts'
import { changeBodies } from '../../events/event-body.ts'
import type { CallerPage } from '../../operation/follow.ts'
import { defineFollow } from '../../operation/operation.ts'

const maxChanges = 1_000

/** The schema of a change: the body of its event. */
export const change = z
  .union(Array.from(changeBodies.values(), ({ schema }) => schema))
  .meta({ id: 'Change', description: 'A change: the body of an event.' })

export const changesAnswer = defineAnswer<CallerPage>('Changes', 'The changes after a cursor.', {
  changes: fieldFrom(
    ({ changes }: CallerPage) => changes.map(({ body }) => new StoredJson(body)),
    z
      .array(asScalar('JSON', change))
      .max(maxChanges)
      .describe(
        'The bodies of events, as a webhook sends them, in no particular order. A change may appear more than once.',
      ),
  ),
  cursor: z.string().max(maxCursorLength).describe('The cursor to send as `after` in the next request.'),
  has_more: z.boolean().describe('Whether more changes are already available.'),
  reset: fieldFrom(
    'isReset',
    z
      .boolean()
      .describe(
        'Whether to drop everything you cached, because the cursor is too old or belongs to another database. `changes` is empty then.',
      ),
  ),
})

export const readChanges = defineFollow({
  name: 'changes',
  summary: 'Read the changes that committed after a cursor, each at least once.',
  about:
    'Every replica of a product may follow, with or without a webhook. Without `after` the answer has the current cursor. ' +
    'With `Accept: text/event-stream` the changes are streamed as server-sent events: `ready` first (or `reset`), then ' +
    'each change under its type, and `alive` at least every five seconds. The `id` of each of these events is its cursor, so ' +
    'a request with `Last-Event-ID` continues after that change.',
  route: '/org/changes',
  service: 'api',
  labels: ['entitlements:read'],
  tokens: 'bearer',
  cors: true,
  perSecond: 20,
  input: defineInput(
    {
      after: note(
        z.string().max(maxCursorLength).refine(isCursor).optional().describe('a cursor from an earlier answer'),
        {
          meaning: 'Where to continue; if left out, only changes from now on are read.',
        },
      ),
      wait: note(z.int().min(0).max(30).default(0).describe('an integer from 0 to 30'), {
        meaning: 'How many seconds to wait for a change if there is none yet.',
      }),
      limit: note(pageSize(maxChanges, 100), {
        alias: 'first',
        meaning: `How many changes to read; more than ${maxChanges} counts as ${maxChanges}.`,
      }),
    },
    { unknown: 'ignore', term: 'query parameter' },
  ),
  answer: changesAnswer,
  refusals: ['RATE_LIMITED'],
  toInput: ({ after, wait, limit }) => ({
    after: after ?? null,
    limit,
    waitMs: wait * 1_000,
  }),
})
