import { createEntitlements, type Snapshot } from '@entitlements-service/client'
import {
  webhookHandler as expressWebhooks,
  requireEntitlement as inExpress,
} from '@entitlements-service/client/express'
import {
  webhookHandler as fastifyWebhooks,
  requireEntitlement as inFastify,
} from '@entitlements-service/client/fastify'
import { webhookHandler as honoWebhooks, requireEntitlement as inHono } from '@entitlements-service/client/hono'
import { EntitlementsProvider } from '@entitlements-service/client/openfeature'
import { EntitlementsWebProvider } from '@entitlements-service/client/openfeature-web'
import { type EntitlementsProviderProps, useEntitlement } from '@entitlements-service/client/react'
import { OpenFeature } from '@openfeature/server-sdk'
import { OpenFeature as WebFeature } from '@openfeature/web-sdk'
import express from 'express'
import { fastify } from 'fastify'
import { Hono } from 'hono'

// The keys of features are those that typed.ts declares.

type Session = { customer: string | null }
declare module 'fastify' {
  interface FastifyRequest {
    session: Session
  }
}
declare global {
  namespace Express {
    interface Request {
      session: Session
    }
  }
}

const entitlements = createEntitlements({ baseUrl: 'https://entitlements.example', apiKey: 'ent_key' })

const app = express()
app.get(
  '/teams/:team',
  inExpress(entitlements, 'export', {
    subscriberOf: (request) => request.session.customer,
    onDenied: (_request, response, { detail }) => response.redirect(`/buy?source=${detail?.source}`),
  }),
  (request, response) => {
    response.send(request.params.team.toUpperCase())
  },
)
app.post('/webhooks', expressWebhooks(entitlements))
// @ts-expect-error: the key is misspelled.
inExpress(entitlements, 'exprot', { subscriberOf: () => 'acme' })

const app2 = fastify()
const preHandler = inFastify(entitlements, 'export', { subscriberOf: async (request) => request.session.customer })
app2.get('/export', { preHandler }, async () => 'ok')
app2.post<{ Body: { name: string }; Params: { id: string } }>('/:id', { preHandler }, async ({ body }) => body.name)
app2.register(fastifyWebhooks(entitlements), { prefix: '/webhooks' })
// @ts-expect-error: the key is misspelled.
inFastify(entitlements, 'exprot', { subscriberOf: () => 'acme' })

type Env = { Variables: Session }
export const app3 = new Hono<Env>()
  .get(
    '/export',
    inHono<Env>(entitlements, 'export', { subscriberOf: (context) => context.get('customer') }),
    (context) => context.json({ customer: context.get('customer') }),
  )
  .get('/header', inHono(entitlements, 'export', { subscriberOf: ({ req }) => req.header('x-customer') }), (context) =>
    context.text('ok'),
  )
  .get('/teams/:team', inHono(entitlements, 'export', { subscriberOf: () => 'acme' }), ({ req, text }) =>
    text(req.param('team').toUpperCase()),
  )
  .post('/webhooks', honoWebhooks(entitlements))
// @ts-expect-error: the key is misspelled.
inHono(entitlements, 'exprot', { subscriberOf: () => 'acme' })

export const region = (): 'eu-west' | 'us-east' | null => useEntitlement('region').value
// @ts-expect-error: the key is misspelled.
export const misspelled = () => useEntitlement('exprot')
export const props = (snapshot: Snapshot | undefined): EntitlementsProviderProps => ({ client: entitlements, snapshot })

OpenFeature.setProvider(new EntitlementsProvider(entitlements))
OpenFeature.setProvider(new EntitlementsProvider({ baseUrl: 'https://entitlements.example', apiKey: 'ent_key' }))
WebFeature.setProvider(new EntitlementsWebProvider(entitlements))
WebFeature.setProvider(
  new EntitlementsWebProvider({
    baseUrl: 'https://entitlements.example',
    token: (subscriber) => `token of ${subscriber}`,
  }),
)
