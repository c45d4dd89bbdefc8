import { describe, expect, it } from 'vitest'
import { expectRefusedDocument } from '../support/refusal.ts'
import { send, sharedService } from '../support/service.ts'

const service = await sharedService()
const query = '{ features { key } }'

const post = async (body: unknown) => {
  const { key } = await service.organization()
  return send(`${service.url}/graphql`, 'POST', body, { 'x-api-key': key })
}

describe('the body of a GraphQL request', () => {
  it.each([
    ['an empty operationName', { query, operationName: '' }],
    ['an empty operationName for a named operation', { query: `query A ${query}`, operationName: '' }],
    [
      'null for operationName, variables and extensions',
      { query, operationName: null, variables: null, extensions: null },
    ],
    ['an unknown field', { query, id: 'a hash' }],
    ['extensions', { query, extensions: { persistedQuery: { version: 1, sha256Hash: 'a hash' } } }],
  ])('may have %s', async (_what, body) => {
    expect((await post(body)).body).toEqual({ data: { features: [] } })
  })

  it('with several operations must name one of them', async () => {
    const { body } = await post({ query: `query A ${query} query B ${query}`, operationName: '' })

    expect(body).toEqual({
      errors: [expect.objectContaining({ message: 'Set operationName to the operation to run.' })],
    })
  })

  it.each([
    ['a list of requests', [{ query }], '', /^The body must be a JSON object/],
    ['a text', JSON.stringify(query), '', /^The body must be a JSON object/],
    ['no query', {}, 'query', /^query is required/],
    ['a query that is not a text', { query: [query] }, 'query', /^query is required/],
    [
      'operationName that is not a text',
      { query, operationName: [] },
      'operationName',
      /^operationName must be a string\.$/,
    ],
    ['variables in a list', { query, variables: [] }, 'variables', /^variables must be an object\.$/],
    ['variables in a text', { query, variables: '{}' }, 'variables', /^variables must be an object\.$/],
    ['extensions in a list', { query, extensions: [] }, 'extensions', /^extensions must be an object\.$/],
    ['extensions in a number', { query, extensions: 1 }, 'extensions', /^extensions must be an object\.$/],
  ])('is 422 with %s', async (_what, body, path, message) => {
    const answer = await post(body)

    expect(answer.status).toBe(422)
    expectRefusedDocument(answer, expect.stringMatching(message), path)
    expect(answer.body.errors.map(Object.keys)).toEqual([['message', 'extensions']])
  })
})
