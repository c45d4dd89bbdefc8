import { beforeAll, describe, expect, it } from 'vitest'
import { restRoutes } from '../../rest/routes.ts'
import { newAddress, trustedLoopback } from '../support/person.ts'
import { anyCharacter, fc } from '../support/random.ts'
import { expectErrorContract } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { colors, vendor } from '../support/vendor.ts'

const service = await sharedService(trustedLoopback)

let caller: Caller

beforeAll(async () => {
  caller = await service.organization()
  const setup = vendor(caller)
  await setup.feature('x', colors)
  await setup.feature('y', { kind: 'config', value_type: 'json' })
  await setup.plan('x', { x: { kind: 'config', value: 'red' } })
  await setup.subscriber('x')
})

/** Valid values, nearly valid values, and anything else. */
const text = fc.oneof(
  fc.constantFrom('x', 'y', 'flag', 'limit', 'config', 'enum', 'json', 'red', '2030-01-01T00:00:00Z', '__proto__', ''),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom('\0', '\ud800', '\u2028', '/', '%', ' ', '🚀', 'a', "'", '\\', '{', '$1'),
    maxLength: 8,
  }),
)
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 2, arbitrary: fc.constantFrom(0, -0, 1, -1, 1.5, 2 ** 53, 1e308, true, false, null, [], {}) },
  { weight: 1, arbitrary: fc.array(text, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)
const grants = fc.dictionary(
  fc.constantFrom('x', 'y', '__proto__', 'nope'),
  fc.record({ kind: fc.constantFrom('flag', 'limit', 'config', 5), limit: value, value }, { requiredKeys: [] }),
  { maxKeys: 3 },
)

function body(names: string[]): fc.Arbitrary<unknown> {
  const field = fc.constantFrom(...names, 'unknown', '__proto__', 'constructor')
  const fields = fc.array(fc.tuple(field, value), { maxLength: 6 }).map((entries) => Object.fromEntries(entries))
  const whole = fc.record(Object.fromEntries(names.map((name) => [name, name === 'grants' ? grants : value])), {
    requiredKeys: [],
  })
  return fc.oneof(fields, whole, value)
}

/** A path value, percent-encoded correctly or not. */
const segment = fc.oneof(
  { weight: 3, arbitrary: fc.constant('x') },
  { weight: 1, arbitrary: text.map((raw) => encodeURIComponent(raw.toWellFormed())) },
  { weight: 1, arbitrary: fc.constantFrom('%ff', '%', '%00', '%2F', '%2e%2e', '..%2f', 'a;b', 'a=b', '*', ':key') },
)
const query = fc.oneof(
  fc.constant(''),
  fc
    .array(
      fc.tuple(
        fc.constantFrom(
          'limit',
          'starting_after',
          'include_archived',
          'include_expired',
          'month',
          'x',
          '__proto__',
          '',
        ),
        fc.oneof(
          text.map((raw) => encodeURIComponent(raw.toWellFormed())),
          fc.constantFrom('5', 'true', '%ff', '%'),
        ),
      ),
      { maxLength: 3 },
    )
    .map((pairs) => `?${pairs.map(([name, raw]) => `${name}=${raw}`).join('&')}`),
)
const headers = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json; charset=latin1' },
      { 'content-encoding': 'gzip' },
      { 'user-agent': 'é\u00ff' },
      { accept: 'text/html' },
      { 'x-api-key': 'ent_nonsense' },
      { 'x-http-method-override': 'DELETE' },
    ),
  },
)

const request = fc.constantFrom(...restRoutes).chain(({ operation: { method, route, input } }) =>
  fc.record({
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constant(method) },
      { weight: 1, arbitrary: fc.constantFrom('PUT', 'PATCH', 'DELETE') },
    ),
    path: fc.tuple(segment, segment).map(([a, b]) => {
      const values = [a, b]
      return route.replaceAll(/\{\w+\}/g, () => values.shift() as string)
    }),
    query,
    headers,
    body: body(Object.keys(input.shape)),
  }),
)

describe('any request', () => {
  it('is answered with a request id, never with 5xx, and with an error of the contract if it is refused', async () => {
    await fc.assert(
      fc.asyncProperty(request, async ({ method, path, query, headers, body }) => {
        const sent = method === 'GET' ? undefined : body
        const answer = await caller.rest(method, path + query, sent, { ...newAddress(), ...headers })

        expect(answer.status).toBeLessThan(500)
        expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
        // OFREP's refusals have an `errorCode`; another check of every answer verifies that only OFREP's routes send one.
        if (answer.status >= 400 && !answer.body.errorCode) expectErrorContract(answer)
      }),
    )
  })
})
