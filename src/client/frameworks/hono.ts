import type { Context, Env, Handler, MiddlewareHandler } from 'hono'
import type { Entitlements } from '../entitlements.ts'
import type { FeatureKey } from '../keys.ts'
import type { Logger } from '../platform.ts'
import { type Denial, findDenial, retryAfter, type SubscriberIdOrNone, statusOf, toDenialBody } from './denial.ts'
import {
  BodyCollector,
  maxBodyBytes,
  replyAlreadyParsed,
  tooLarge,
  toReply,
  type WebhookReply,
} from './webhook-reply.ts'

export type { Denial } from './denial.ts'

export type RequireOptions<E extends Env> = {
  /** Returns the subscriber of a request, such as the customer of the signed-in user. A request without one is denied. */
  subscriberOf(context: Context<E>): SubscriberIdOrNone | Promise<SubscriberIdOrNone>
  /**
   * Answers a denied request. The status is 403, or 503 if the client could not get an answer, unless this function sets
   * another.
   */
  onDenied?: (context: Context<E>, denial: Denial) => Response | Promise<Response>
}

/**
 * Middleware that lets a request through if its subscriber may use the feature. Otherwise it answers 403, or 503 with
 * `Retry-After` if the client could not get an answer.
 *
 * ```ts
 * const subscriberOf = (context) => context.get('customerId')
 * app.get('/export', requireEntitlement(entitlements, 'export', { subscriberOf }), sendExport)
 * ```
 */
// biome-ignore lint/suspicious/noExplicitAny: as in Hono's own middleware, variables are `any` unless the caller names them.
export function requireEntitlement<E extends Env = any>(
  entitlements: Pick<Entitlements, 'checkDetail'>,
  feature: FeatureKey,
  { subscriberOf, onDenied = (context, denial) => context.json(toDenialBody(denial)) }: RequireOptions<E>,
): MiddlewareHandler<E> {
  return async (context, next) => {
    const denial = await findDenial(entitlements, feature, await subscriberOf(context))
    if (!denial) return next()
    const status = statusOf(denial)
    context.status(status)
    if (status === 503) context.header('retry-after', retryAfter)
    return onDenied(context, denial)
  }
}

export type WebhookOptions = {
  /** The logger for the error that the body was already read; by default `console`. */
  logger?: Pick<Logger, 'error'>
}

const remedy = 'Add its route before the middleware that reads the body, or use context.req.text() in that middleware.'

/** Receives the service's webhooks: `app.post('/webhooks/entitlements', webhookHandler(entitlements))`. */
export function webhookHandler(
  entitlements: Pick<Entitlements, 'handleWebhook'>,
  { logger = console }: WebhookOptions = {},
): Handler {
  return async (context) => {
    const reply = await replyTo(context)
    if (reply.status === 500) logger.error(reply.body?.error.message as string)
    const { status, body } = reply
    return body ? Response.json(body, { status }) : new Response(null, { status })
  }

  async function replyTo({ req }: Context): Promise<WebhookReply> {
    const body = req.raw.bodyUsed ? await cachedBodyOf(req) : await read(req.raw)
    if (body === undefined) return replyAlreadyParsed(remedy)
    if (body === null || body.length > maxBodyBytes) return tooLarge
    return toReply(await entitlements.handleWebhook(body, req.raw.headers))
  }
}

/** The raw body, if an earlier handler has read it with Hono's methods, which cache it. */
async function cachedBodyOf({ bodyCache }: Context['req']): Promise<Uint8Array | string | undefined> {
  const [text, bytes] = await Promise.all([bodyCache.text, bodyCache.arrayBuffer])
  return text ?? (bytes && new Uint8Array(bytes))
}

/** The raw body; null if it is too large. */
async function read({ body }: Request): Promise<Uint8Array | null> {
  const collector = new BodyCollector()
  const reader = body?.getReader()
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    if (collector.add(part.value)) continue
    // Stop reading, so that a body that is too large is answered before all of it has arrived.
    reader?.cancel().catch(() => {})
    return null
  }
  return collector.take()
}
