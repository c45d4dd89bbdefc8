import { once } from 'node:events'
import type { Server } from 'node:http'
import express5, { type Express } from 'express'
import express4 from 'express4'
import { describe, expect, it } from 'vitest'
import { requireEntitlement, webhookHandler } from '../../../src/client/frameworks/express.ts'
import { atEnd } from '../../support/at-end.ts'
import { type AppOptions, customerOf, deniedBody, describeApp, event, prepareApps, signed } from './gated-app.ts'

const apps = await prepareApps()
const { startProduct } = apps

const versions = [
  ['Express 5', express5],
  ['Express 4', express4],
] as const

async function listen(app: Express, port: number): Promise<void> {
  const server: Server = app.listen(port, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => void server.close())
}

const subscriberOf = (request: { get(name: string): string | undefined }) => customerOf(request.get('x-customer'))

describe.each(versions)('%s', (name, express) => {
  describeApp(name, apps, async ({ entitlements, port }) => {
    const app = express()
    const exportAll = (_request: unknown, response: { json(body: unknown): unknown }) => {
      response.json({ exported: true })
    }
    app.get('/export', requireEntitlement(entitlements, 'sso', { subscriberOf }), exportAll)
    const onDenied = (
      _request: unknown,
      response: { json(body: unknown): unknown },
      denial: Parameters<typeof deniedBody>[0],
    ) => response.json(deniedBody(denial))
    app.get('/seats', requireEntitlement(entitlements, 'seats', { subscriberOf, onDenied }), exportAll)
    app.get('/export', exportAll)
    app.get('/seats', exportAll)
    app.post('/hook', webhookHandler(entitlements))
    app.use(express.json())
    app.post('/echo', (request, response) => {
      response.json(request.body)
    })
    await listen(app, port)
  })

  /** Returns a function that starts an app which parses bodies before the webhook's route. */
  const appStarterWith =
    (parser: ReturnType<typeof express5.json>, logged: string[] = []) =>
    async ({ entitlements, port }: AppOptions) => {
      const app = express()
      app.use(parser)
      app.post('/hook', webhookHandler(entitlements, { logger: { error: (message) => void logged.push(message) } }))
      await listen(app, port)
    }

  const keepRaw = (request: object, _response: unknown, body: Buffer) => Object.assign(request, { rawBody: body })

  it.each([
    ['express.raw', express.raw({ type: '*/*' })],
    ['express.text', express.text({ type: '*/*' })],
    ['express.json that keeps rawBody', express.json({ verify: keepRaw })],
    ['express.json for another type', express.json({ type: 'application/vnd.api+json' })],
  ])('accepts webhooks after %s', async (_name, parser) => {
    const { hook } = await startProduct(appStarterWith(parser))

    expect((await hook(event)).status).toBe(204)
    expect((await hook(event, signed(event, 'another'))).status).toBe(401)
  })

  it('reports in its answer and the log that it cannot check the signature, because the body is already parsed', async () => {
    const logged: string[] = []
    const { hook } = await startProduct(appStarterWith(express.json(), logged))

    const { status, body } = await hook(event)

    expect([status, body.error.code]).toEqual([500, 'BODY_ALREADY_PARSED'])
    expect(body.error.message).toContain('before app.use(express.json())')
    expect(logged).toEqual([body.error.message])
  })

  it('refuses a body of more than a mebibyte that middleware has read', async () => {
    const { hook } = await startProduct(appStarterWith(express.raw({ type: '*/*', limit: '5mb' })))

    expect((await hook(JSON.stringify('x'.repeat(2_000_000)))).status).toBe(413)
  })
})
