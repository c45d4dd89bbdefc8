import { describe, expect, it } from 'vitest'
import { readsQuery } from '../../rest/query.ts'
import { restRoutes } from '../../rest/routes.ts'
import type { AnyOperation } from '../../src/operation/operation.ts'
import { signUp, trustedLoopback } from '../support/person.ts'
import { expectInvalid } from '../support/refusal.ts'
import { sharedService } from '../support/service.ts'

const service = await sharedService(trustedLoopback)
const admin = await service.organization()
const person = await signUp(service)

const parameters = restRoutes.flatMap(({ operation }) =>
  Array.from(readsQuery(operation) ? operation.input.fields : [], ([name, { type }]) => ({
    name,
    type,
    operation,
  })).filter(({ type }) => type.kind === 'scalar' && type.name === 'DateTime'),
)

const messageFor = async ({ method, route }: AnyOperation, name: string, text: string) => {
  const path = route.replaceAll(/\{\w+\}/g, 'nobody')
  const answer = await (path.startsWith('/user') ? person : admin).rest(method, `${path}?${name}=${text}`)
  expectInvalid(answer, [name, /./])
  return answer.body.error.message
}

const hint = 'as in 2027-01-31T10:00:00%2B01:00: in a URL, a plus sign means a space.'

describe.each(parameters.map(({ operation, name }) => [operation.name, name, operation] as const))(
  'in %s, the timestamp %s',
  (_operation, name, operation) => {
    it('with an unencoded plus sign is refused with a hint to encode it', async () => {
      expect(await messageFor(operation, name, '2026-01-01T00:00:00+02:00')).toBe(
        `${name} must have its plus sign encoded as %2B, ${hint}`,
      )
    })

    it('with another fault is refused without that hint', async () => {
      for (const text of ['2026-02-30T00:00:00+02:00', '2026-01-01+00:00:00', 'now+1'])
        expect(await messageFor(operation, name, text)).not.toContain('%2B')
    })
  },
)
