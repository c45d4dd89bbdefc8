import { expect } from 'vitest'
import type { Answer } from './service.ts'
import { type ErrorCode, statusByCode } from './statuses.ts'

const requestId = /^req_[0-7][0-9A-HJKMNP-TV-Z]{25}$/

/** Expects exactly this refusal: status, type, code, details, the request id in body and header. */
export function expectRefusal(answer: Answer, code: ErrorCode, details: unknown, message?: RegExp): void {
  const status = statusByCode[code]
  expect(answer.body).toEqual({
    error: {
      type: status < 500 ? 'invalid_request_error' : 'api_error',
      code,
      message: message ? expect.stringMatching(message) : expect.stringMatching(/\S/),
      request_id: expect.stringMatching(requestId),
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
