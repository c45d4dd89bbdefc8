import { it } from 'vitest'
import { sharedService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()

/** The codes of a document's errors. */
const codesOf = ({ errors = [] }: { errors?: { extensions: { code: string } }[] }) =>
  errors.map(({ extensions: { code } }) => code)

it('counts each history and explanation of a document, together with those over REST', async () => {
  const caller = await service.organization()
  await vendor(caller).features()
  await vendor(caller).subscriber('acme')
  const fields = [
    'subscriber(subscriberId: "acme") { history(first: 1) { nodes { id } } }',
    'feature(key: "seats") { history(first: 1) { nodes { id } } }',
    'explanation(subscriberId: "acme") { plan }',
  ]
  const document = `{ ${Array.from({ length: 24 }, (_, index) => `a${index}: ${fields[index % 3]}`).join(' ')} }`

  // Within one second of the process, unless a new one begins meanwhile.
  await until(async () => {
    const { body } = await caller.graphql(document)
    const { status } = await caller.rest('GET', '/org/subscribers/acme/history')
    return codesOf(body).length === 4 && codesOf(body).every((code) => code === 'RATE_LIMITED') && status === 429
  })
})
