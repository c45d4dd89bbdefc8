import { z } from 'zod'
import { note } from '../../core/field-type.ts'
import { defineInput } from '../../core/input.ts'
import { defineEval } from '../../operation/operation.ts'
import { type RequestedSnapshot, snapshotAnswer } from './entitlement.ts'
import { evalDefinition, evaluate } from './evaluate.ts'

const yearSeconds = 31_536_000

/** Evaluates all features of the catalog for one subscriber. */
export const readEntitlements = defineEval({
  ...evalDefinition,
  name: 'entitlements',
  summary: 'Read everything that a subscriber may do. Counts as one eval.',
  about:
    'With `Accept: application/jwt` the answer is signed, for programs that cannot call the service: a JWS (EdDSA) with the claims `iss`, ' +
    '`sub` (the subscriber), `aud` (the organization), `iat`, `exp` and `snapshot`, and without an `ETag`. The keys are at ' +
    `\`/.well-known/jwks.json\`. ${evalDefinition.about}`,
  method: 'GET',
  route: '/org/subscribers/{subscriber_id}/entitlements',
  input: defineInput(
    {
      max_age: note(z.int().min(60).max(yearSeconds).default(3_600).describe('an integer from 60 to 31536000'), {
        meaning:
          'How many seconds a signed snapshot is valid. It may expire sooner, at `valid_until`. Ignored without ' +
          '`Accept: application/jwt`.',
      }),
    },
    { unknown: 'ignore', term: 'query parameter' },
  ),
  answer: snapshotAnswer,
  hasEtag: true,
  refusals: ['RATE_LIMITED', 'CONFLICT'],
  async run({ gate, caller, path, input }): Promise<RequestedSnapshot> {
    const snapshot = await evaluate(gate, caller, { subscriberId: path.subscriber_id, features: null })
    return { ...snapshot, maxAge: input.max_age }
  },
})
