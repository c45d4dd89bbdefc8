import { expect } from 'vitest'
import { z } from 'zod'
import { type Answer, type Caller, send } from './service.ts'

/*
 * The requirements of OFREP 0.3.0 for answers, written from its OpenAPI document (open-feature/protocol, service/openapi.yaml),
 * its design records and the types of OpenFeature's packages. They are less strict than the service's own description of the
 * same routes.
 */

const metadata = z.record(z.string(), z.union([z.boolean(), z.string(), z.number()])).optional()

/** Without a value, the product's own default is used. */
const evaluationSuccess = z.object({
  key: z.string(),
  value: z.union([z.boolean(), z.string(), z.number(), z.record(z.string(), z.unknown())]).optional(),
  reason: z.string(),
  variant: z.string(),
  metadata,
})

const errorCode = z.enum(['PARSE_ERROR', 'TARGETING_KEY_MISSING', 'INVALID_CONTEXT', 'GENERAL'])
const errorDetails = z.string().optional()
const evaluationFailure = z.object({ key: z.string(), errorCode, errorDetails })
const flagNotFound = z.object({ key: z.string(), errorCode: z.literal('FLAG_NOT_FOUND'), errorDetails })
const generalError = z.object({ errorDetails: z.string() })

const eventStream = z.object({ type: z.string(), url: z.url() })
const bulkEvaluationSuccess = z.object({
  flags: z.array(z.union([evaluationFailure, evaluationSuccess])),
  metadata,
  eventStreams: z.array(eventStream).optional(),
})
const bulkEvaluationFailure = z.object({ errorCode, errorDetails })

/** The bodies that the protocol describes, by status. It describes none for 401, 403 and 429. */
const ofOne: Record<number, z.ZodType> = { 200: evaluationSuccess, 400: evaluationFailure, 404: flagNotFound }
const ofAll: Record<number, z.ZodType> = { 200: bulkEvaluationSuccess, 400: bulkEvaluationFailure }

const path = '/ofrep/v1/evaluate/flags'

type RequestParts = { body?: unknown; headers?: Record<string, string> }

/** Evaluates flags as a client of OFREP would; throws if the answer is not one that the protocol allows. */
export function flagsOf(url: string, { key: apiKey }: Pick<Caller, 'key'>) {
  async function post(
    at: string,
    schemas: Record<number, z.ZodType>,
    { body, headers }: RequestParts,
  ): Promise<Answer> {
    const answer = await send(url + at, 'POST', body, { 'x-api-key': apiKey, ...headers })
    const schema = schemas[answer.status] ?? (answer.status >= 500 ? generalError : undefined)
    expect(schema?.safeParse(answer.body).error?.message, JSON.stringify(answer.body)).toBeUndefined()
    return answer
  }
  const contextOf = (targetingKey: string) => ({ context: { targetingKey } })
  return {
    one: (key: string, targetingKey: string, headers = {}) =>
      post(`${path}/${encodeURIComponent(key)}`, ofOne, { body: contextOf(targetingKey), headers }),
    all: (targetingKey: string, headers = {}) => post(path, ofAll, { body: contextOf(targetingKey), headers }),
    /** Sends any body, for one flag, or for all flags if `key` is null. */
    send: (key: string | null, body: unknown, headers = {}) =>
      key === null ? post(path, ofAll, { body, headers }) : post(`${path}/${key}`, ofOne, { body, headers }),
  }
}
