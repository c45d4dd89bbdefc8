import { expect, it } from 'vitest'
import { countRequestsInOneSecond } from '../support/one-second.ts'
import { sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()

/** The codes of a document's errors. */
const codesOf = ({ errors = [] }: { errors?: { extensions: { code: string } }[] }) =>
  errors.map(({ extensions: { code } }) => code)

it('each history and explanation in a document counts against a rate limit that both APIs share', async () => {
  const caller = await service.organization()
  await vendor(caller).features()
  await vendor(caller).subscriber('acme')
  const fields = [
    'subscriber(subscriberId: "acme") { history(first: 1) { nodes { id } } }',
    'feature(key: "seats") { history(first: 1) { nodes { id } } }',
    'explanation(subscriberId: "acme") { plan }',
  ]
  const document = `{ ${Array.from({ length: 24 }, (_, index) => `a${index}: ${fields[index % 3]}`).join(' ')} }`

  countRequestsInOneSecond()

  expect(codesOf((await caller.graphql(document)).body)).toEqual(Array(4).fill('RATE_LIMITED'))
  expect(await caller.rest('GET', '/org/subscribers/acme/history')).toMatchObject({ status: 429 })
})
