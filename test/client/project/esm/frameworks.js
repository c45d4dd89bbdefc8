import { once } from 'node:events'
import { createEntitlements } from '@entitlements-service/client'
import * as ofExpress from '@entitlements-service/client/express'
import * as ofFastify from '@entitlements-service/client/fastify'
import * as ofHono from '@entitlements-service/client/hono'
import { EntitlementsProvider } from '@entitlements-service/client/openfeature'
import { EntitlementsWebProvider } from '@entitlements-service/client/openfeature-web'
import { EntitlementsProvider as ReactProvider, useEntitlement } from '@entitlements-service/client/react'
import { OpenFeature } from '@openfeature/server-sdk'
import { OpenFeature as WebFeature } from '@openfeature/web-sdk'
import express from 'express'
import { fastify } from 'fastify'
import { Hono } from 'hono'
import { createElement, version } from 'react'
import { renderToString } from 'react-dom/server'

const seats = { feature: 'seats', kind: 'limit', limit: 5, allowed: true, source: 'plan', expires_at: null }
const api = { feature: 'api', kind: 'flag', allowed: false, source: 'none', expires_at: null }
const snapshot = { subscriber_id: 'acme', plan: 'pro', entitlements: [seats, api], valid_until: null }
const entitlements = createEntitlements({ offline: true, bootstrap: snapshot })
const subscriberOf = () => 'acme'
const features = ['seats', 'api', 'unknown']
const statuses = {}

const app = express()
for (const feature of features) {
  app.get(`/${feature}`, ofExpress.requireEntitlement(entitlements, feature, { subscriberOf }), (_, answer) =>
    answer.end(),
  )
}
const server = app.listen(0, '127.0.0.1')
await once(server, 'listening')
const ask = (feature) => fetch(`http://127.0.0.1:${server.address().port}/${feature}`)
statuses.express = (await Promise.all(features.map(ask))).map(({ status }) => status)
server.closeAllConnections()
server.close()

const app2 = fastify()
for (const feature of features) {
  app2.get(
    `/${feature}`,
    { preHandler: ofFastify.requireEntitlement(entitlements, feature, { subscriberOf }) },
    () => 'ok',
  )
}
statuses.fastify = (await Promise.all(features.map((path) => app2.inject(`/${path}`)))).map(
  (answer) => answer.statusCode,
)

const app3 = new Hono()
for (const feature of features) {
  app3.get(`/${feature}`, ofHono.requireEntitlement(entitlements, feature, { subscriberOf }), (context) =>
    context.text(''),
  )
}
statuses.hono = (await Promise.all(features.map((path) => app3.request(`/${path}`)))).map(({ status }) => status)

const Seats = () => createElement('p', null, useEntitlement('seats').limit)
const react = [version.split('.')[0], renderToString(createElement(ReactProvider, { snapshot }, createElement(Seats)))]

const context = { targetingKey: 'acme' }
await OpenFeature.setProviderAndWait(new EntitlementsProvider(entitlements))
await WebFeature.setProviderAndWait(new EntitlementsWebProvider(entitlements), context)
const limits = [
  await OpenFeature.getClient().getNumberValue('seats', 0, context),
  WebFeature.getClient().getNumberValue('seats', 0),
]
await Promise.all([OpenFeature.close(), WebFeature.close()])
console.log(JSON.stringify({ statuses, react, limits }))
