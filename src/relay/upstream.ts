import { Emitter } from '../client/events.ts'
import type { FeedListener } from '../client/feed.ts'
import { Knowledge } from '../client/knowledge.ts'
import { completeOptions } from '../client/options.ts'
import { type Environment, environmentOf, type Logger } from '../client/platform.ts'
import { timeOf } from '../client/server-clock.ts'
import type { RelayConfig } from '../config.ts'
import { setClock } from '../core/clock.ts'
import type { RelayCache } from './relay-cache.ts'

type Options = {
  config: RelayConfig
  cache: RelayCache
  logger: Logger
  /** Called once every change has been received, for the first time or again. */
  ready(): void
  /** Receives the feed's changes after the cache. */
  follower: FeedListener
  environment: Environment
}

/** The relay's view of its upstream's subscribers: the client's cache, its feed, and its reads of many at once. */
export function followUpstream({ config, cache, logger, ready, follower, environment }: Options): Knowledge {
  const { upstreamUrl: baseUrl, apiKey, maxSubscribers, onUnavailable } = config
  const keepsOld = onUnavailable === 'last-known' ? onUnavailable : 'deny'
  const options = completeOptions({ baseUrl, apiKey, maxSubscribers, logger, onUnavailable: keepsOld })
  const emitter = new Emitter(logger)
  emitter.on('ready', ready)
  return new Knowledge(options, environment, emitter, { cache, follower })
}

/** The ids of requests, and the header `Date`, get the time of the upstream's database. */
export function relayEnvironment(): Environment {
  const environment = environmentOf(undefined)
  return {
    ...environment,
    async fetch(url, init) {
      const sentAt = performance.now()
      const answer = await environment.fetch(url, init)
      const databaseMs = timeOf(answer.headers.get('x-request-id') ?? '')
      if (databaseMs !== null) setClock({ databaseMs, sentAt, answeredAt: performance.now() })
      return answer
    },
  }
}
