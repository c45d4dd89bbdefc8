import type { NextFunction, Request, Response } from 'express'
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

/** A `RequestHandler` for any route parameters, so that the handlers after it keep the types of their own parameters. */
export type Middleware = <Params>(request: Request<Params>, response: Response, next: NextFunction) => Promise<void>

export type RequireOptions = {
  /** Returns the subscriber of a request, such as the customer of the signed-in user. A request without one is denied. */
  subscriberOf(request: Request): SubscriberIdOrNone | Promise<SubscriberIdOrNone>
  /**
   * Answers a denied request. The status is 403, or 503 if the client could not get an answer, unless this function sets
   * another.
   */
  onDenied?: (request: Request, response: Response, denial: Denial) => unknown
}

/**
 * Middleware that lets a request through if its subscriber may use the feature. Otherwise it answers 403, or 503 with
 * `Retry-After` if the client could not get an answer.
 *
 * ```ts
 * const subscriberOf = (request) => request.user?.customerId
 * app.get('/export', requireEntitlement(entitlements, 'export', { subscriberOf }), sendExport)
 * ```
 */
export function requireEntitlement(
  entitlements: Pick<Entitlements, 'checkDetail'>,
  feature: FeatureKey,
  { subscriberOf, onDenied = answerDenied }: RequireOptions,
): Middleware {
  return async (given, response, next) => {
    const request = given as unknown as Request
    let denial: Denial | null
    try {
      denial = await findDenial(entitlements, feature, await subscriberOf(request))
      if (denial) {
        const status = statusOf(denial)
        if (status === 503) response.set('retry-after', retryAfter)
        await onDenied(request, response.status(status), denial)
      }
    } catch (error) {
      // By default, Express answers an error with the status that was set before, here that of the denial.
      if (!response.headersSent) response.status(500).removeHeader('retry-after')
      // Express 4 does not catch the errors of an async handler.
      next(toError(error))
      return
    }
    if (!denial) next()
  }
}

/** `next()` and `next('route')` would let a denied request pass, so only an object may be given to `next`. */
function toError(thrown: unknown): object {
  if (typeof thrown === 'object' && thrown !== null) return thrown
  return new Error(`requireEntitlement: subscriberOf or onDenied threw ${String(thrown)}.`)
}

function answerDenied(_request: Request, response: Response, denial: Denial): void {
  response.json(toDenialBody(denial))
}

export type WebhookOptions = {
  /** The logger for the error that the body was already parsed; by default `console`. */
  logger?: Pick<Logger, 'error'>
}

const remedy =
  'Add its route before app.use(express.json()), or pass { verify: (request, _response, body) => { request.rawBody = body } } ' +
  'to express.json.'

/**
 * Receives the service's webhooks: `app.post('/webhooks/entitlements', webhookHandler(entitlements))`. It needs the raw body,
 * so add the route before `express.json()`, or with `express.raw({ type: 'application/json' })`.
 */
export function webhookHandler(
  entitlements: Pick<Entitlements, 'handleWebhook'>,
  { logger = console }: WebhookOptions = {},
): Middleware {
  return async (request, response, next) => {
    try {
      const reply = await replyTo(request as unknown as Request)
      if (reply.status === 500) logger.error(reply.body?.error.message as string)
      send(response, reply)
    } catch (error) {
      next(error)
    }
  }

  async function replyTo(request: Request): Promise<WebhookReply> {
    const body = bodyOf(request) ?? (isRead(request) ? undefined : await read(request))
    if (body === undefined) return replyAlreadyParsed(remedy)
    if (body === null || body.length > maxBodyBytes) return tooLarge
    return toReply(await entitlements.handleWebhook(body, request.headers))
  }
}

function send(response: Response, { status, body }: WebhookReply): void {
  // The rest of a body that is too large stays unread, so the connection cannot be reused.
  if (status === tooLarge.status) response.set('connection', 'close')
  response.status(status)
  if (body) response.json(body)
  else response.end()
}

/** The raw body, if `express.raw`, `express.text` or a `verify` function that sets `rawBody` has stored it in the request. */
function bodyOf(request: Request): Uint8Array | string | undefined {
  const { body, rawBody } = request as { body?: unknown; rawBody?: unknown }
  return [body, rawBody].find((each) => each instanceof Uint8Array || typeof each === 'string') as
    | Uint8Array
    | undefined
}

/** Whether the body was already read. `body` does not show this: Express 4 sets it to `{}` even if nothing was read. */
function isRead(request: Request): boolean {
  return request.readableEnded || (request as { _body?: boolean })._body === true
}

/** The raw body; null if it is too large. */
function read(request: Request): Promise<Uint8Array | null> {
  const collector = new BodyCollector()
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Uint8Array) => {
      if (collector.add(chunk)) return
      request.pause()
      resolve(null)
    })
    request.on('end', () => resolve(collector.take()))
    request.on('error', reject)
  })
}
