import { expect, it } from 'vitest'
import { rawRequest, sendRaw } from '../support/raw-http.ts'
import { sharedService } from '../support/service.ts'

const service = await sharedService()
const caller = await service.organization()
for (let index = 0; index < 40; index++) {
  await caller.rest('POST', '/org/features', { key: `feature-${index}`, name: 'A'.repeat(200), kind: 'flag' })
}

async function ask(query: string, encoding?: string) {
  const body = JSON.stringify({ query })
  const headers = { 'x-api-key': caller.key, 'content-type': 'application/json', 'content-length': String(body.length) }
  const requestHeaders = { ...headers, ...(encoding && { 'accept-encoding': encoding }) }
  return (await sendRaw(service.url, rawRequest('POST', '/graphql', requestHeaders, body))).headers
}

it('a long answer is compressed for clients that accept gzip, and has its length in a header', async () => {
  const headers = await ask('{ features { key name } }', 'gzip, br')

  expect(headers.get('content-encoding')).toBe('gzip')
  expect(headers.get('vary')).toBe('accept-encoding')
  expect(Number(headers.get('content-length'))).toBeLessThan(1500)
})

it('short answers, and answers for other clients, are not compressed', async () => {
  const short = await ask('{ viewer { role } }', 'gzip')
  const plain = await ask('{ features { key name } }')

  expect([short.get('content-encoding'), plain.get('content-encoding')]).toEqual([null, null])
  expect(plain.get('vary')).toBe('accept-encoding')
})
