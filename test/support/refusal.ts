import { expect } from 'vitest'
import type { FieldError } from '../../src/core/errors.ts'
import { requestId } from './matchers.ts'
import type { Answer } from './service.ts'
import { type ErrorCode, statusByCode } from './statuses.ts'

const typeOf = (status: number) => (status < 500 ? 'invalid_request_error' : 'api_error')

/** Expects exactly this refusal of the REST API: status, type, code, details, the request id in body and header. */
export function expectRefusal(answer: Answer, code: ErrorCode, details: unknown, message?: RegExp): void {
  const status = statusByCode[code]
  expect(answer.body).toEqual({
    error: {
      type: typeOf(status),
      code,
      message: message ? expect.stringMatching(message) : expect.stringMatching(/\S/),
      request_id: requestId,
      details,
    },
  })
  expect(answer.status).toBe(status)
  expect(answer.headers.get('x-request-id')).toBe(answer.body.error.request_id)
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
}

/** Expects 422 with exactly these details, path and message, in this order. The first gives the answer's message. */
export function expectInvalid(answer: Answer, ...fields: [path: string, message: RegExp][]): void {
  expectRefusal(answer, 'VALIDATION_ERROR', {
    fields: fields.map(([path, message]) => ({ path, message: expect.stringMatching(message) })),
  })
  expect(answer.body.error.message).toBe(answer.body.error.details.fields[0].message)
}

/** Checks the contract of every refusal. */
export function expectErrorContract(answer: Answer): void {
  const { code } = answer.body?.error ?? {}
  expect(Object.keys(statusByCode), JSON.stringify(answer.body)).toContain(code)
  expectRefusal(answer, code, answer.body.error.details)
}

/** Expects that a request of GraphQL had this one error, at this field. */
export function expectRefusedField(
  { headers, body }: Answer,
  field: string,
  code: ErrorCode,
  details: unknown,
  message: unknown = expect.any(String),
): void {
  const status = statusByCode[code]
  expect(body.errors).toEqual([
    {
      message,
      path: field.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key)),
      locations: expect.any(Array),
      extensions: { type: typeOf(status), code, status, requestId: headers.get('x-request-id'), details },
    },
  ])
}

/** Makes names equal that differ only in their spelling, as in REST's `value_type` and GraphQL's `valueType`. */
export function inOneSpelling(text: string): string {
  return text.replaceAll('_', '').toLowerCase()
}

/**
 * Expects one GraphQL error that equals the refusal of REST, except for names: their spelling, or as `names` says.
 * test/contract/graphql-names.test.ts checks the spelling.
 */
export function expectSameRefusal(graphql: Answer, rest: Answer, names: Record<string, string> = {}): void {
  const { type, code, message, details } = rest.body.error
  const inCamelCase = (path: string) => path.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const renamed = (path: string) => names[path] ?? inCamelCase(path)
  const reword = (path: string, text: string) => text.replace(new RegExp(`\\b${path}\\b`, 'g'), renamed(path))
  const fields = details?.fields?.map(({ path, message }: FieldError) => ({
    path: renamed(path),
    message: inOneSpelling(reword(path, message)),
  }))
  // In GraphQL, the name of an operation is in the place of a route.
  const route: number = message.search(/[A-Z]+ \/org/)
  const errors = graphql.body.errors.map((error: GraphqlError) => (fields ? withMessagesInOneSpelling(error) : error))
  expect(errors).toEqual([
    {
      message: fields?.[0]?.message ?? (route === -1 ? message : expect.stringContaining(message.slice(0, route))),
      path: expect.any(Array),
      locations: expect.any(Array),
      extensions: {
        type,
        code,
        status: rest.status,
        requestId: graphql.headers.get('x-request-id'),
        details: fields ? { fields } : details,
      },
    },
  ])
}

type GraphqlError = { message: string; extensions: { details: { fields?: FieldError[] } | null } }

function withMessagesInOneSpelling({ message, extensions, ...error }: GraphqlError) {
  const fields = extensions.details?.fields?.map((each) => ({ ...each, message: inOneSpelling(each.message) }))
  return { ...error, message: inOneSpelling(message), extensions: { ...extensions, details: { fields } } }
}

/** Expects that GraphQL itself refused the document: nothing ran, and there is no data. */
export function expectRefusedDocument(answer: Answer, message: unknown = expect.any(String), path = ''): void {
  expect(answer.body).not.toHaveProperty('data')
  expect(answer.body.errors.length).toBeGreaterThan(0)
  for (const { extensions } of answer.body.errors) {
    expect(extensions).toEqual({
      type: 'invalid_request_error',
      code: 'VALIDATION_ERROR',
      requestId: answer.headers.get('x-request-id'),
      details: { fields: [{ path, message: expect.any(String) }] },
      status: 422,
    })
  }
  expect(answer.body.errors[0].message).toEqual(message)
  expect(answer.body.errors[0].extensions.details.fields[0].message).toEqual(answer.body.errors[0].message)
}
