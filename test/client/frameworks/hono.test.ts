import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { Hono, type HonoRequest, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { describe, expect, it } from 'vitest'
import { requireEntitlement, webhookHandler } from '../../../src/client/frameworks/hono.ts'
import { atEnd } from '../../support/at-end.ts'
import { type AppOptions, customerOf, deniedBody, describeApp, event, prepareApps, signed } from './gated-app.ts'

const apps = await prepareApps()
const { startProduct } = apps

async function listen(app: Pick<Hono, 'fetch'>, port: number): Promise<void> {
  const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' })
  await once(server, 'listening')
  atEnd(async () => void server.close())
}

type Variables = { Variables: { customer: string | undefined } }

describeApp('Hono 4', apps, async ({ entitlements, port }) => {
  const app = new Hono<Variables>()
  app.use(async (context, next) => {
    context.set('customer', context.req.header('x-customer'))
    await next()
  })
  const mayExport = requireEntitlement<Variables>(entitlements, 'sso', {
    subscriberOf: (context) => customerOf(context.get('customer')),
  })
  app.get('/export', mayExport, (context) => context.json({ exported: true }))
  app.get(
    '/seats',
    requireEntitlement(entitlements, 'seats', {
      subscriberOf: (context) => customerOf(context.req.header('x-customer')),
      onDenied: (context, denial) => context.json(deniedBody(denial)),
    }),
    (context) => context.json({ exported: true }),
  )
  app.post('/hook', webhookHandler(entitlements))
  app.post('/echo', async (context) => context.json(await context.req.json()))
  await listen(app, port)
})

describe('webhookHandler in Hono, after middleware that reads bodies', () => {
  const startWith =
    (middleware: MiddlewareHandler, logged: string[] = []) =>
    async ({ entitlements, port }: AppOptions) => {
      const app = new Hono()
      app.use(middleware)
      app.post('/hook', webhookHandler(entitlements, { logger: { error: (message) => void logged.push(message) } }))
      await listen(app, port)
    }

  const reading =
    (read: (request: HonoRequest) => Promise<unknown>): MiddlewareHandler =>
    async ({ req }, next) => {
      await read(req)
      await next()
    }

  it.each<[string, MiddlewareHandler]>([
    ['req.text()', reading((req) => req.text())],
    ['req.json()', reading((req) => req.json())],
    ['req.arrayBuffer()', reading((req) => req.arrayBuffer())],
    ['bodyLimit', bodyLimit({ maxSize: 100_000 })],
  ])('accepts webhooks after %s', async (_name, middleware) => {
    const { hook } = await startProduct(startWith(middleware))

    expect((await hook(event)).status).toBe(204)
    expect((await hook(event, signed(event, 'another'))).status).toBe(401)
  })

  it('reports in its answer and in the log that the body was already read', async () => {
    const logged: string[] = []
    const { hook } = await startProduct(
      startWith(
        reading((req) => req.raw.json()),
        logged,
      ),
    )

    const { status, body } = await hook(event)

    expect([status, body.error.code]).toEqual([500, 'BODY_ALREADY_PARSED'])
    expect(body.error.message).toContain('context.req.text()')
    expect(logged).toEqual([body.error.message])
  })
})
