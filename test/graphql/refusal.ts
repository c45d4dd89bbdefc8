import { expect } from 'vitest'
import type { Answer } from '../support/service.ts'

/** The whole refusal of one field: its path and its error. */
export function expectRefusal(
  answer: Answer,
  field: string,
  refusal: { code: string; status: number; message?: string; details: unknown },
): void {
  const { message = expect.any(String), ...rest } = refusal
  expect(answer.body.errors).toEqual([
    {
      message,
      path: field.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key)),
      locations: expect.any(Array),
      extensions: {
        type: refusal.status < 500 ? 'invalid_request_error' : 'api_error',
        requestId: answer.headers.get('x-request-id'),
        ...rest,
      },
    },
  ])
}

/** Expects the field to be refused with code, message and details of the REST answer; fields of a 422 have the given names. */
export function expectSameRefusal(
  answer: Answer,
  field: string,
  { status, body }: Answer,
  names: Record<string, string> = {},
): void {
  const { code, message, details } = body.error
  const renamed = details?.fields?.map((each: { path: string }) => ({ ...each, path: names[each.path] ?? each.path }))
  expect(status).toBeGreaterThanOrEqual(400)
  expectRefusal(answer, field, { code, status, message, details: renamed ? { fields: renamed } : details })
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
