import { expect, it } from 'vitest'
import { describeRestApi } from '../../rest/openapi/document.ts'
import { eventBodies } from '../../src/events/event-body.ts'
import { startDeliveryTest } from '../support/delivery.ts'
import { vendor } from '../support/vendor.ts'

const deliveries = await startDeliveryTest()
const { webhooks } = describeRestApi()

it('a worker sends each event with the headers and the body that the OpenAPI document describes', async () => {
  const caller = await deliveries.vendor()
  const { receiver, rest } = caller
  const setup = vendor(caller)
  await setup.plan('pro')
  await setup.subscribe('acme', 'pro')
  await setup.override('acme', 'seats', { kind: 'limit', limit: 5 })
  await rest('PATCH', '/org/plans/pro', { grants: { seats: { kind: 'limit', limit: 5 } } })
  await rest('DELETE', '/org/subscribers/acme')
  await rest('POST', '/org/webhook/test')

  await deliveries.worker()
  const received = await receiver.waitFor(5)

  const bodies = received.map(({ body }) => JSON.parse(body))
  expect(new Set(bodies.map(({ type }) => type))).toEqual(new Set(Object.keys(webhooks)))
  expect(new Set(bodies.map(({ cause }) => cause ?? null))).toEqual(
    new Set(['subscription', 'override', 'subscriber', null]),
  )
  for (const [index, { headers }] of received.entries()) {
    const { type } = bodies[index]
    expect(eventBodies.get(type)?.schema.parse(bodies[index])).toEqual(bodies[index])
    const { parameters = [] } = webhooks[type]?.post ?? {}
    for (const { name, schema } of parameters) {
      expect(headers[name.toLowerCase()]).toMatch(new RegExp(String(schema.pattern)))
    }
    const described = parameters.map(({ name }) => name.toLowerCase())
    const ofService = Object.keys(headers).filter((name) => name.startsWith('x-service-'))
    expect(ofService.toSorted()).toEqual(described.toSorted())
  }
})
