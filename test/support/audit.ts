import { expect } from 'vitest'
import { timestamp, ulid } from './matchers.ts'
import type { Answer, Caller } from './service.ts'

/** An entry as tests read it; `operation` has the method and route. */
export type Entry = Record<string, unknown> & { id: string; occurred_at: string; request_id: string }

/** Reads a page of the log as this caller, newest first. */
export async function readLog(reader: Caller, query = ''): Promise<Entry[]> {
  const { status, body } = await reader.rest('GET', `/org/audit-events${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.audit_events
}

/** The expected log entry of the caller's request, in full. */
export function entryOf(caller: Caller, answer: Answer, expected: Record<string, unknown>): Record<string, unknown> {
  const actor = { member_id: caller.memberId, auth_type: 'member_apikey', key_prefix: caller.key.slice(0, 12) }
  return entryOfRequest(answer, {
    ...{ organization_id: caller.organizationId, actor, service: 'api' },
    ...expected,
  })
}

/** The expected log entry of a request by the actor in `expected`. */
export function entryOfRequest(answer: Answer, expected: Record<string, unknown>): Record<string, unknown> {
  return {
    id: ulid,
    occurred_at: timestamp,
    request_id: answer.headers.get('x-request-id'),
    params: {},
    ip: '127.0.0.1',
    user_agent: 'node',
    outcome: 'responded',
    status: answer.status,
    details: null,
    created_id: null,
    ...expected,
  }
}

/** Sends the request, and expects the log's newest entry to equal the expected one as a whole. Returns the answer. */
export async function expectEntry(
  caller: Caller,
  [method, path, body]: [method: string, path: string, body?: unknown],
  expected: (answer: Answer) => Record<string, unknown>,
): Promise<Answer> {
  const answer = await caller.rest(method, path, body)
  const [entry] = await readLog(caller, '?limit=1')
  expect(entry, JSON.stringify(answer.body)).toEqual(entryOf(caller, answer, { method, ...expected(answer) }))
  return answer
}
