import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Entitlements } from '../entitlements.ts'
import type { FeatureKey } from '../keys.ts'
import { type Denial, findDenial, retryAfter, type SubscriberIdOrNone, statusOf, toDenialBody } from './denial.ts'
import { maxBodyBytes, toReply } from './webhook-reply.ts'

export type { Denial } from './denial.ts'

export type RequireOptions = {
  /** Returns the subscriber of a request, such as the customer of the signed-in user. A request without one is denied. */
  subscriberOf(request: FastifyRequest): SubscriberIdOrNone | Promise<SubscriberIdOrNone>
  /**
   * Answers a denied request, or returns the body of the answer. The status is 403, or 503 if the client could not get an
   * answer, unless this function sets another.
   */
  onDenied?: (request: FastifyRequest, reply: FastifyReply, denial: Denial) => unknown
}

/**
 * A `preHandler` that lets a request through if its subscriber may use the feature. Otherwise it answers 403, or 503 with
 * `Retry-After` if the client could not get an answer.
 *
 * ```ts
 * const subscriberOf = (request) => request.user?.customerId
 * app.get('/export', { preHandler: requireEntitlement(entitlements, 'export', { subscriberOf }) }, sendExport)
 * ```
 */
export function requireEntitlement(
  entitlements: Pick<Entitlements, 'checkDetail'>,
  feature: FeatureKey,
  { subscriberOf, onDenied = (_request, _reply, denial) => toDenialBody(denial) }: RequireOptions,
): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  return async (request, reply) => {
    const denial = await findDenial(entitlements, feature, await subscriberOf(request))
    if (!denial) return
    // `reply.code` would also change the status of a redirect that `onDenied` sends.
    reply.raw.statusCode = statusOf(denial)
    if (statusOf(denial) === 503) reply.header('retry-after', retryAfter)
    const body = await onDenied(request, reply, denial)
    if (body !== undefined && body !== reply) reply.send(body)
    // Fastify waits until the reply is sent, and does not run the route's handler.
    return reply
  }
}

/**
 * A plugin that receives the service's webhooks at its prefix:
 * `app.register(webhookHandler(entitlements), { prefix: '/webhooks/entitlements' })`. Other routes keep their parsers.
 */
export function webhookHandler(entitlements: Pick<Entitlements, 'handleWebhook'>): FastifyPluginAsync {
  return async (app) => {
    app.removeAllContentTypeParsers()
    // Do not parse the body, because the signature covers it as it was sent.
    const options = { parseAs: 'buffer', bodyLimit: maxBodyBytes } as const
    app.addContentTypeParser('*', options, (_request, body, done) => done(null, body))
    app.post('/', async (request, reply) => {
      const body = request.body instanceof Uint8Array ? request.body : ''
      const answer = toReply(await entitlements.handleWebhook(body, request.headers))
      return reply.code(answer.status).send(answer.body ?? undefined)
    })
  }
}
