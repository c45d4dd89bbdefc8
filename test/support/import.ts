import { expect } from 'vitest'
import type { Answer, Caller } from './service.ts'

export const importPath = '/org/subscribers/import'

/** Joins the lines: each object becomes a line; text stays unchanged. */
export function toLines(lines: readonly (object | string)[]): string {
  return lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
}

export function importLines(
  caller: Caller,
  lines: readonly (object | string)[],
  headers: Record<string, string> = {},
  query = '',
): Promise<Answer> {
  return caller.rest('POST', importPath + query, toLines(lines), headers)
}

/** Like `importLines`, but expects 200. */
export async function importSuccessfully(caller: Caller, lines: readonly (object | string)[], query = '') {
  const answer = await importLines(caller, lines, {}, query)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}
