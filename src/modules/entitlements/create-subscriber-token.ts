import { z } from 'zod'
import type { Actor } from '../../access/actor.ts'
import { defineAnswer } from '../../core/answer.ts'
import { textField, timeField } from '../../core/answer-fields.ts'
import { requireFound, unauthorized } from '../../core/errors.ts'
import { note } from '../../core/field-type.ts'
import { defineInput } from '../../core/input.ts'
import { Prisma } from '../../database/generated/client.ts'
import type { Queries } from '../../database/prisma.ts'
import { combineColumns, computedColumns, nullableColumns, query, viaPrisma } from '../../database/sql.ts'
import { defineIssue } from '../../operation/operation.ts'
import { countRequest } from './evaluate.ts'

const lifetimeSeconds = { min: 60, default: 900, max: 3_600 }

type SubscriberToken = { token: string; expiresAt: Date }

/** Enough for a subscriber id of 255 characters with four bytes each. */
const maxTokenLength = 2_048

export const subscriberTokenAnswer = defineAnswer<SubscriberToken>(
  'SubscriberToken',
  'A token with which a subscriber can read its own entitlements, from a browser or a phone.',
  {
    token: textField(1, maxTokenLength).describe('The token, to send as Authorization: Bearer <token>.'),
    expires_at: timeField().describe('When the token expires.'),
  },
)

export const createSubscriberToken = defineIssue({
  name: 'createSubscriberToken',
  summary: 'Create a token with which a subscriber can read its own entitlements.',
  about:
    'For browsers and phones, which must not have a key. As `Authorization: Bearer`, the token gives access to the ' +
    'snapshot, the checks and the changes of that subscriber, and nothing else; pages of any site may send it. The token ' +
    'ends with the key that created it, when the key loses its label, when the subscriber is deleted, and at ' +
    '`expires_at`. All tokens of a subscriber together may make 5 evals a second, and have 3 streams or waiting polls in ' +
    "a process. Creating a token is not an eval, but counts towards the organization's evals per second, and is not " +
    'recorded.',
  route: '/org/subscribers/{subscriber_id}/tokens',
  labels: ['entitlements:read'],
  input: defineInput(
    {
      expires_in: note(
        z
          .int()
          .min(lifetimeSeconds.min)
          .max(lifetimeSeconds.max)
          .default(lifetimeSeconds.default)
          .describe(`an integer from ${lifetimeSeconds.min} to ${lifetimeSeconds.max}`),
        { meaning: 'How many seconds the token is valid.' },
      ),
    },
    { unknown: 'ignore' },
  ),
  answer: subscriberTokenAnswer,
  refusals: ['RATE_LIMITED'],
  async run({ gate, caller, actor, path, input, tokens, inTurn }): Promise<SubscriberToken> {
    const { organizationId, authenticatedAt } = actor
    const { subscriber_id: subscriberId } = path
    await countRequest(gate, caller, subscriberId)
    const { keyId, since } = await inTurn((db) => loadKeyAndSubscriber(db, actor, subscriberId))
    const subscriberSince = requireFound('subscriber', subscriberId, since)
    const expiresAt = new Date((Math.floor(authenticatedAt.getTime() / 1000) + input.expires_in) * 1000)
    return { token: await tokens.issue({ organizationId, subscriberId, subscriberSince, keyId, expiresAt }), expiresAt }
  },
})

const columns = combineColumns(
  computedColumns({ keyId: ['text', Prisma.sql`k.key_id`] }),
  nullableColumns(computedColumns({ since: ['timestamptz', Prisma.sql`s.created_at`] })),
)

/** Loads the id of the caller's key, and when the subscriber was created; `since` is null if the subscriber does not exist. */
async function loadKeyAndSubscriber(db: Queries, { organizationId, credentialHash }: Actor, subscriberId: string) {
  const [row] = await viaPrisma(db).query(query`
    select ${columns}
      from api_key k
      left join subscriber s on s.organization_id = ${organizationId} and s.subscriber_id = ${subscriberId}
     where k.organization_id = ${organizationId} and k.key_hash = decode(${credentialHash}, 'hex')`)
  if (!row) throw unauthorized('This API key has just been revoked.')
  return row
}
