import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { evaluateFlag } from '../../rest/ofrep/evaluate-flag.ts'
import { evaluateFlags } from '../../rest/ofrep/evaluate-flags.ts'
import { flagJson } from '../../rest/ofrep/flag.ts'
import { type RefusesAs, replyWithError } from '../../rest/refuse.ts'
import type { Entitlement, Snapshot } from '../client/snapshot.ts'
import { notFound, unauthorized } from '../core/errors.ts'
import { toDomainError } from '../database/outage.ts'
import { readBearer } from '../http/bearer.ts'
import { toBodyRefusal } from '../http/body.ts'
import { matchesEtag, toEtag } from '../http/etag.ts'
import type { FailureLog } from '../http/failure-log.ts'
import { jsonType, sendNotModified } from '../http/reply.ts'
import { checkEntitlement } from '../modules/entitlements/check.ts'
import { toUnknownFeaturesRefusal } from '../modules/entitlements/evaluate.ts'
import { readEntitlements } from '../modules/entitlements/read-entitlements.ts'
import { readManyEntitlements } from '../modules/entitlements/read-many-entitlements.ts'
import { type Answer, type AnswerSource, type Answers, answerSources } from './answers.ts'
import type { RelayMetrics } from './relay-metrics.ts'
import { etagOf, itemText, snapshotText, toResolvedEntitlement } from './texts.ts'

type Options = {
  answers: Answers
  failures: FailureLog
  maxAnswerBytes: number
  bodyLimitBytes: number
  metrics: Pick<RelayMetrics, 'answers' | 'refusals'>
}

type Operation = { method: string; route: string; tokens?: string | undefined; refusesAs?: RefusesAs }

/** An answer's body, source and age, and an entity tag if callers may cache it. */
type Reply = Pick<Answer, 'from' | 'ageMs'> & { body(): string; etag?: string }

/** Registers the service's routes for evals. They check bodies and refuse requests as the service does. */
export function registerEvalRoutes(app: FastifyInstance, options: Options): void {
  const { answers, failures, maxAnswerBytes, bodyLimitBytes, metrics } = options

  function register(
    { method, route, tokens, refusesAs }: Operation,
    respond: (request: FastifyRequest) => Reply | Promise<Reply>,
  ): void {
    app.route({
      method,
      url: route.replaceAll(/\{(\w+)\}/g, ':$1'),
      ...(tokens === 'either_header' && { onRequest: refuseTwoCredentials }),
      // Answers synchronously if the answer is known.
      handler(request, reply) {
        const response = respond(request)
        const send = (resolved: Reply) => sendCounted(request, reply, resolved)
        return response instanceof Promise ? response.then(send) : send(response)
      },
      errorHandler(error, _request, reply) {
        const refusal = toBodyRefusal(error, bodyLimitBytes) ?? toDomainError(error)
        metrics.refusals.add(1, refusal.code)
        return replyWithError({ failures }, reply, refusal, refusesAs)
      },
    })
  }

  function sendCounted(request: FastifyRequest, reply: FastifyReply, response: Reply): FastifyReply {
    metrics.answers.add(1, response.from)
    return send(request, reply, response)
  }

  const replyAboutSubscriber = (subscriberId: string, toReply: Parameters<typeof replyAbout>[2]) =>
    replyAbout(answers, subscriberId, toReply)

  register(checkEntitlement, ({ params, body }) => {
    const { feature, features } = checkEntitlement.input.parse(body)
    return replyAboutSubscriber(subscriberOf(params), (answer) => {
      if (features === undefined) {
        const [text] = findTexts(answers, answer, [feature], () => 'feature')
        return { ...answer, body: () => text as string }
      }
      const texts = findTexts(answers, answer, features, (index) => `features.${index}`)
      return { ...answer, body: () => `{"entitlements":[${texts.join()}]}` }
    })
  })

  register(readEntitlements, ({ params }) =>
    replyAboutSubscriber(subscriberOf(params), (answer, snapshot) => ({
      ...answers.assertNotExpired(answer),
      body: () => snapshotText(snapshot),
      etag: etagOf(answer.entry, snapshot),
    })),
  )

  register({ ...readManyEntitlements, refusesAs: undefined }, async ({ body }) => {
    const { subscriber_ids: ids } = readManyEntitlements.input.parse(body)
    const foundAnswers = await Promise.all(ids.map(async (id) => answers.assertNotExpired(await answers.find(id))))
    const ageMs = Math.max(...foundAnswers.map((answer) => answer.ageMs))
    const from = answerSources.findLast((each) => foundAnswers.some((answer) => answer.from === each)) as AnswerSource
    return { from, ageMs, body: () => bulkText(ids, foundAnswers, maxAnswerBytes) }
  })

  register(evaluateFlag, ({ params, body }) => {
    const { subscriberId } = evaluateFlag.input.parse(body)
    const { key } = params as { key: string }
    return replyAboutSubscriber(subscriberId, (answer) => {
      findTexts(answers, answer, [key], () => 'flag')
      return { ...answer, body: () => flagJson(toResolvedEntitlement(answer.entry.items.get(key) as Entitlement)) }
    })
  })

  register(evaluateFlags, ({ body }) => {
    const { subscriberId } = evaluateFlags.input.parse(body)
    return replyAboutSubscriber(subscriberId, (answer, snapshot) => ({
      ...answers.assertNotExpired(answer),
      body: () => `{"flags":[${snapshot.entitlements.map((item) => flagJson(toResolvedEntitlement(item))).join()}]}`,
      etag: toEtag(`flags of ${subscriberId} ${etagOf(answer.entry, snapshot)}`),
    }))
  })
}

const twoCredentialsRefused = unauthorized('Send a token in the X-API-Key header or as a Bearer token, not both.')

function refuseTwoCredentials({ headers }: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const hasTwo = headers['x-api-key'] !== undefined && readBearer(headers.authorization) !== undefined
  done(hasTwo ? twoCredentialsRefused : undefined)
}

function send(request: FastifyRequest, reply: FastifyReply, { from, ageMs, etag, body }: Reply): FastifyReply {
  reply.header('x-entitlements-from', from)
  if (ageMs !== Number.POSITIVE_INFINITY) reply.header('age', Math.floor(ageMs / 1_000))
  if (etag !== undefined && from !== 'deny') {
    reply.headers({ 'cache-control': 'private, no-cache', etag })
    if (matchesEtag(request.headers['if-none-match'], etag)) return sendNotModified(reply)
  }
  return reply.header('content-type', jsonType).send(body())
}

/** Returns the reply at once if the answer is known. */
function replyAbout(
  answers: Answers,
  subscriberId: string,
  toReply: (answer: Answer, snapshot: Snapshot) => Reply,
): Reply | Promise<Reply> {
  const reply = (answer: Answer) => {
    const { snapshot } = answer.entry
    if (!snapshot) throw notFound('subscriber', subscriberId)
    return toReply(answer, snapshot)
  }
  const known = answers.get(subscriberId)
  return known ? reply(known) : answers.find(subscriberId).then(reply)
}

/** Returns the entitlements of these features, as JSON. Throws 422 if the catalog lacks one of the features. */
function findTexts(
  answers: Answers,
  answer: Answer,
  keys: readonly string[],
  pathOf: (index: number) => string,
): string[] {
  const { entry } = answer
  const texts = keys.map((key) => itemText(entry, key))
  if (texts.includes(undefined))
    throw toUnknownFeaturesRefusal(keys, (key) => entry.items.get(key) === undefined, pathOf)
  answers.assertNotExpired(answer, keys)
  return texts as string[]
}

function subscriberOf(params: unknown): string {
  return (params as { subscriber_id: string }).subscriber_id
}

/** Writes as many snapshots as fit, and at least one; lists the ids of the others in `left`. */
function bulkText(ids: readonly string[], answers: readonly Answer[], maxBytes: number): string {
  const snapshots: string[] = []
  const unknown: string[] = []
  const left: string[] = []
  let freeBytes = maxBytes - JSON.stringify(ids).length
  for (const [index, { entry }] of answers.entries()) {
    const id = ids[index] as string
    if (!entry.snapshot) unknown.push(id)
    else if (left.length > 0) left.push(id)
    else {
      const text = snapshotText(entry.snapshot)
      freeBytes -= Buffer.byteLength(text) + 1
      if (freeBytes >= 0 || snapshots.length === 0) snapshots.push(text)
      else left.push(id)
    }
  }
  return `{"snapshots":[${snapshots.join()}],"unknown":${JSON.stringify(unknown)},"left":${JSON.stringify(left)}}`
}
