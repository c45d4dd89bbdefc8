import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { restRoutes } from '../../rest/routes.ts'
import { rawRequest, sendRaw } from '../support/raw-http.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { auditOf, stateOf } from '../support/state.ts'
import { colors, vendor } from '../support/vendor.ts'

const service = await sharedService()

let caller: Caller
const json = { 'content-type': 'application/json' }

/**
 * The routes that take a JSON body, with paths of objects that exist: `x` is a feature, a plan and a subscriber. OFREP has its
 * own refusals (ofrep.test.ts).
 */
const rows = restRoutes
  .filter(
    ({ operation }) =>
      operation.method !== 'GET' &&
      operation.service === 'api' &&
      operation.kind !== 'bulk_write' &&
      !('refusesAs' in operation),
  )
  .map(({ operation }) => [operation.method, operation.route.replaceAll(/\{\w+\}/g, 'x'), operation] as const)

beforeAll(async () => {
  caller = await service.organization()
  const setup = vendor(caller)
  await setup.feature('x', colors)
  await setup.plan('x', { x: { kind: 'config', value: 'red' } })
  await setup.subscriber('x')
  await setup.override('x', 'x', { kind: 'config', value: 'red' })
})

type Send = () => ReturnType<Caller['rest']>

/** Expects that the requests changed nothing, and that each write was recorded with its status. */
async function expectUnchanged(kind: string, outcome: string, requests: Send[]) {
  const { organizationId } = caller
  const before = await stateOf(service.database, organizationId)
  const logged = (await auditOf(service.database, organizationId)).length
  const answers = []
  for (const request of requests) answers.push(await request())
  expect(await stateOf(service.database, organizationId)).toEqual(before)
  const entries = (await auditOf(service.database, organizationId)).slice(logged)
  expect(entries).toMatchObject(kind === 'write' ? answers.map(({ status }) => ({ outcome, status })) : [])
  return answers
}

const notJson = ['{', '{"key":"a",}', "{'key':1}", 'a=b', '\u0000', '{"a":NaN}', '['.repeat(20_000), ' ']

const tooLarge = JSON.stringify({ name: 'x'.repeat(1_100_000) })

const notUtf8 = ['\xff', '\xc0\x80', '\xed\xa0\x80', '\xe2\x82']

const refusedContentTypes = [
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  'text/json',
  'application/jsonp',
  'application/merge-patch+json',
  'application/json; charset=iso-8859-1',
  'application/json; charset=utf-16',
  'nonsense',
  '/',
  ';',
  'application/json, text/plain',
]

describe.each(rows)('%s %s', (method, path, operation) => {
  const refused = (requests: Send[]) => expectUnchanged(operation.kind, 'rejected', requests)
  const send = (body: string, headers: Record<string, string>) => () => caller.rest(method, path, body, headers)
  const raw = (headers: Record<string, string>, body: string) => () => {
    const head = rawRequest(method, path, { 'x-api-key': caller.key, ...headers })
    return sendRaw(service.url, Buffer.concat([Buffer.from(head), Buffer.from(body, 'latin1')]))
  }
  const sized = (headers: Record<string, string>, body: string) =>
    raw({ ...headers, 'content-length': String(body.length) }, body)
  const chunked = (headers: Record<string, string>, body: string) =>
    raw({ ...headers, 'transfer-encoding': 'chunked' }, `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)

  it('accepts only an object; for anything else, answers with one detail at path ""', async () => {
    const bodies = ['null', '[]', '"text"', '5', 'true', `${'['.repeat(20_000)}${']'.repeat(20_000)}`]
    const answers = await expectUnchanged(
      operation.kind,
      'responded',
      bodies.map((body) => send(body, json)),
    )

    for (const answer of answers) expectInvalid(answer, ['', /^The body must be a JSON object\.$/])
  })

  it('is 400 for a body that is not JSON in UTF-8', async () => {
    const answers = await refused([
      ...notJson.map((body) => send(body, json)),
      ...notUtf8.map((bytes) => sized(json, `{"name":"${bytes}"}`)),
    ])

    for (const answer of answers) expectRefusal(answer, 'INVALID_JSON', null)
  })

  it('is 415 for a body with another content type, without one, or with a content encoding', async () => {
    const answers = await refused([
      ...refusedContentTypes.map((type) => send('{}', { 'content-type': type })),
      ...[sized, chunked].map((request) => request({}, '{}')),
      ...['gzip', 'br', 'identity, gzip'].map((encoding) =>
        sized({ ...json, 'content-encoding': encoding }, gzipSync('{}').toString('latin1')),
      ),
    ])

    for (const answer of answers) expectRefusal(answer, 'UNSUPPORTED_MEDIA_TYPE', null)
  })

  it('is 413 for a body above the limit, of any type, whether sent whole, in chunks, or only announced', async () => {
    const answers = await refused([
      send(tooLarge, json),
      send(tooLarge, { 'content-type': 'text/plain' }),
      chunked(json, tooLarge),
      raw({ ...json, 'content-length': String(tooLarge.length) }, ''),
    ])

    for (const answer of answers) expectRefusal(answer, 'BODY_TOO_LARGE', null)
  })
})

describe('a body', () => {
  it.each([
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON',
    'application/json ;',
  ])('is read as JSON with the content type %s', async (type) => {
    const answer = await caller.rest('PATCH', '/org/subscribers/x', { name: type }, { 'content-type': type })

    expect(answer).toMatchObject({ status: 200, body: { name: type } })
  })

  it.each(['application/json', 'text/plain', undefined])(
    'that is empty counts as absent, with the content type %s',
    async (type) => {
      const headers: Record<string, string> = type ? { 'content-type': type } : {}
      const raw = { ...headers, 'x-api-key': caller.key }
      const chunked = rawRequest(
        'POST',
        '/org/plans/x/unarchive',
        { ...raw, 'transfer-encoding': 'chunked' },
        '0\r\n\r\n',
      )
      const sized = rawRequest('POST', '/org/plans/x/unarchive', { ...raw, 'content-length': '0' })

      expect(await caller.rest('POST', '/org/plans/x/unarchive', undefined, headers)).toMatchObject({ status: 200 })
      expect(await sendRaw(service.url, chunked)).toMatchObject({ status: 200 })
      expect(await sendRaw(service.url, sized)).toMatchObject({ status: 200 })
    },
  )

  it('is read if its length is exactly the limit', async () => {
    const name = 'x'
    const padding = 'y'.repeat(1_048_576 - JSON.stringify({ name, padding: '' }).length)

    expect(await caller.rest('PATCH', '/org/subscribers/x', { name, padding })).toMatchObject({ status: 200 })
    const over = await caller.rest('PATCH', '/org/subscribers/x', { name, padding: `${padding}y` })
    expectRefusal(over, 'BODY_TOO_LARGE', null)
  })

  it.each(['GET', 'HEAD'])('of a %s request is ignored, whatever it contains', async (method) => {
    const headers = { 'x-api-key': caller.key, 'content-type': 'text/plain', 'content-length': '3' }

    const answer = await sendRaw(service.url, rawRequest(method, '/org/features/x', headers, '{{{'))

    expect(answer.status).toBe(200)
  })
})
