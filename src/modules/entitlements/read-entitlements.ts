import { z } from 'zod'
import { conflict, DomainError, forbidden, notFound, unauthorized, validationError } from '../../core/errors.ts'
import { asScalar } from '../../core/field-type.ts'
import { keyPattern } from '../../core/fields.ts'
import { defineInput, noInput } from '../../core/input.ts'
import type { EvalCaller, EvalOutcome, Gate } from '../../gate/gate.ts'
import { defineEval } from '../../operation/operation.ts'
import { isSubscriberId } from '../subscribers/subscriber.ts'
import { entitlementAnswer, type Snapshot, snapshotAnswer } from './entitlement.ts'

const facts = { service: 'api', labels: ['entitlements:read'] } as const

/** May this subscriber, and how much? One entitlement. */
export const checkEntitlement = defineEval({
  ...facts,
  name: 'check',
  summary: 'Check whether a subscriber may use a feature, and how much. Counts as one eval.',
  method: 'POST',
  route: '/org/subscribers/{subscriber_id}/entitlements/check',
  input: defineInput(
    {
      feature: asScalar('ID', z.string().min(1).describe('the key of a feature').meta({ pattern: keyPattern.source })),
    },
    { unknown: 'ignore' },
  ),
  answer: entitlementAnswer,
  refusals: ['RATE_LIMITED', 'CONFLICT'],
  run: ({ gate, caller, path, input }): Promise<Snapshot> =>
    evaluate(gate, caller, path.subscriber_id, [input.feature]),
})

/** Every feature of the catalog for one subscriber. */
export const readEntitlements = defineEval({
  ...facts,
  name: 'entitlements',
  summary: 'Read everything that a subscriber may do. Counts as one eval.',
  method: 'GET',
  route: '/org/subscribers/{subscriber_id}/entitlements',
  input: noInput,
  answer: snapshotAnswer,
  refusals: ['RATE_LIMITED', 'CONFLICT'],
  run: ({ gate, caller, path }): Promise<Snapshot> => evaluate(gate, caller, path.subscriber_id, null),
})

/** Replaces an impossible id or key in the gate's statement: it is counted and refused like any unknown one. */
const impossible = ''

async function evaluate(
  gate: Gate,
  caller: EvalCaller,
  subscriberId: string,
  features: readonly string[] | null,
): Promise<Snapshot> {
  const outcome = await gate.evaluate({
    ...caller,
    subscriberId: isSubscriberId(subscriberId) ? subscriberId : impossible,
    features: features?.map((key) => (keyPattern.test(key) ? key : impossible)) ?? null,
  })
  if (outcome.kind !== 'granted') throw refusal(outcome, subscriberId, features?.[0] ?? '')
  return { subscriberId, plan: outcome.plan, entitlements: outcome.entitlements }
}

function refusal(outcome: Exclude<EvalOutcome, { kind: 'granted' }>, subscriberId: string, asked: string): DomainError {
  switch (outcome.kind) {
    case 'unauthorized':
      return unauthorized('This API key or session is not valid any more, or its member is disabled.')
    case 'forbidden':
      return forbidden(facts.labels)
    case 'rate_limited':
      return new DomainError('RATE_LIMITED', 'Too many evals in this second. Wait a second, then try again.', {
        retry_after_seconds: 1,
      })
    case 'unknown_subscriber':
      return notFound('subscriber', subscriberId)
    case 'unknown_feature': {
      const key = outcome.feature === impossible ? asked : outcome.feature
      return validationError([{ path: 'feature', message: `feature "${key}" is not in the catalog.` }])
    }
    case 'exhausted':
      return conflict(
        { field: 'evals', value: outcome.allotment },
        `The monthly allotment of ${outcome.allotment} evals is used up. It starts anew with the next month (UTC).`,
      )
  }
}
