import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { bounds } from '../../src/graphql/bounds.ts'
import { startService } from '../support/service.ts'

const guide = readFileSync('docs/guides/graphql.md', 'utf8')
const service = await startService({ MAX_ANSWER_ROWS: '2' })

it.each([
  [bounds.rootFields, 'root fields'],
  [bounds.fields, 'fields as written'],
  [bounds.depth, 'depth of nested fields'],
  [bounds.aliases, 'aliases'],
  [bounds.cost, 'cost'],
])('the guide to GraphQL names %s as the limit for %s', (limit, what) => {
  const row = guide.split('\n').find((line) => line.startsWith(`| ${what}`)) ?? ''

  expect(row).toMatch(new RegExp(`\\| ${limit.toLocaleString('en')} \\|$`))
})

it('the guide to GraphQL shows the status and the code of errors that concern the whole request', async () => {
  const caller = await service.organization()
  for (const key of ['a', 'b', 'c']) await caller.rest('POST', '/org/features', { key, name: key, kind: 'flag' })
  const ask = async (body: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': caller.key, ...headers },
      body,
    })
    const { errors, ...rest } = (await answer.json()) as { errors: { path?: string[]; extensions: { code: string } }[] }
    return [answer.status, errors[0]?.extensions.code, errors[0]?.path, Object.keys(rest)]
  }
  const query = (text: string) => JSON.stringify({ query: text })
  const standard = { accept: 'application/graphql-response+json' }

  expect(await ask(query('{ features { key } }'), { 'x-api-key': 'ent_wrong' })).toEqual([
    200,
    'UNAUTHORIZED',
    ['features'],
    ['data'],
  ])
  expect(await ask(query('{ nope }'))).toEqual([200, 'VALIDATION_ERROR', undefined, []])
  expect(await ask(query('{ nope }'), standard)).toEqual([422, 'VALIDATION_ERROR', undefined, []])
  expect(await ask(query('{ features { key } }'))).toEqual([200, 'VALIDATION_ERROR', undefined, []])
  expect(await ask('{')).toEqual([400, 'INVALID_JSON', undefined, []])
  expect(await ask(query(' '.repeat(1_100_000)))).toEqual([413, 'BODY_TOO_LARGE', undefined, []])
  const twoWrites = query('mutation { a: enableWebhook { url } b: enableWebhook { url } }')
  expect(await ask(twoWrites, { 'idempotency-key': 'k' })).toEqual([200, 'VALIDATION_ERROR', undefined, []])
})
