import { fastify } from 'fastify'
import { expect, it } from 'vitest'
import { requireEntitlement, webhookHandler } from '../../../src/client/frameworks/fastify.ts'
import { atEnd } from '../../support/at-end.ts'
import { type AppOptions, customerOf, deniedBody, describeApp, prepareApps } from './gated-app.ts'

const apps = await prepareApps()
const { startProduct } = apps

type Request = { headers: { [name: string]: string | string[] | undefined } }

const subscriberOf = ({ headers }: Request) => customerOf(headers['x-customer'] as string | undefined)

function createApp({ entitlements }: AppOptions) {
  const app = fastify()
  atEnd(() => app.close())
  const mayExport = requireEntitlement(entitlements, 'sso', { subscriberOf })
  app.get('/export', { preHandler: mayExport }, async () => ({ exported: true }))
  const onDenied = (_request: unknown, _reply: unknown, denial: Parameters<typeof deniedBody>[0]) => deniedBody(denial)
  const haveSeats = requireEntitlement(entitlements, 'seats', { subscriberOf, onDenied })
  app.get('/seats', { preHandler: haveSeats }, async () => ({ exported: true }))
  app.register(webhookHandler(entitlements), { prefix: '/hook' })
  // A route with its own types.
  app.post<{ Body: { some: string[] } }>('/echo', async ({ body }) => ({ some: body.some }))
  return app
}

describeApp('Fastify 5', apps, async (options) => {
  await createApp(options).listen({ port: options.port, host: '127.0.0.1' })
})

it('onDenied may send the answer itself: it is sent once, and the route does not run', async () => {
  const ran: string[] = []
  const { get } = await startProduct(async ({ entitlements, port }) => {
    const app = fastify()
    atEnd(() => app.close())
    // Delays the sending of the answer.
    app.addHook('onSend', (_request, _reply, payload, done) => void setImmediate(done, null, payload))
    const preHandler = requireEntitlement(entitlements, 'seats', {
      subscriberOf,
      onDenied: (_request, reply) => void reply.redirect('/buy'),
    })
    app.post<{ Body: { some: string } }>('/typed', { preHandler }, async () => {})
    app.get('/seats', { preHandler }, async () => ran.push('handler'))
    app.get('/buy', async () => ({ buy: true }))
    await app.listen({ port, host: '127.0.0.1' })
  })

  expect(await get('/seats', 'acme')).toMatchObject({ status: 200, body: { buy: true } })
  expect(ran).toEqual([])
})
