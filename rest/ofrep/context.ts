import { z } from 'zod'
import { DomainError } from '../../src/core/errors.ts'
import { fieldsOf, namedObject } from '../../src/core/field-type.ts'
import { type Input, noInput } from '../../src/core/input.ts'
import { isPlainObject } from '../../src/core/json.ts'
import { subscriberId } from '../../src/modules/subscribers/subscriber.ts'
import { parseError, targetingKeyMissing } from './failures.ts'

const context = namedObject(
  'context',
  z
    .looseObject({ targetingKey: subscriberId().describe('the id of a subscriber') })
    .meta({ id: 'context' })
    .describe("OpenFeature's evaluation context. Only targetingKey is read"),
)

/** Defines the input of an evaluation. Reads only the targeting key of the context, however large the context is. */
export function defineContext(name: string): Input<{ subscriberId: string }> {
  const shape = { context }
  const { hints, variants } = noInput
  return { name, shape, fields: fieldsOf(shape), unknown: 'ignore', variants, hints, parse: readSubscriber }
}

function readSubscriber(body: unknown = {}): { subscriberId: string } {
  if (!isPlainObject(body)) throw parseFailure('The body must be a JSON object.')
  const sentContext = body.context ?? {}
  if (!isPlainObject(sentContext)) throw parseFailure('context must be a JSON object.')
  const { targetingKey } = sentContext
  if (targetingKey === undefined || targetingKey === null || targetingKey === '') {
    throw new DomainError(targetingKeyMissing, 'Set the targeting key of the context to the id of a subscriber.')
  }
  if (typeof targetingKey !== 'string') throw parseFailure('context.targetingKey must be a string.')
  return { subscriberId: targetingKey }
}

function parseFailure(message: string): DomainError {
  return new DomainError(parseError, message)
}
