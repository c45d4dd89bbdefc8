import { Emitter } from '../client/events.ts'
import type { FeedListener } from '../client/feed.ts'
import { Knowledge } from '../client/knowledge.ts'
import { completeOptions } from '../client/options.ts'
import { type Environment, environmentOf, type Logger } from '../client/platform.ts'
import { timeOfRequestId } from '../client/server-clock.ts'
import type { RelayConfig } from '../config.ts'
import { setClock } from '../core/clock.ts'
import type { RelayCache } from './relay-cache.ts'

type Options = {
  config: RelayConfig
  cache: RelayCache
  logger: Logger
  /** Called when the relay has received all changes, at the start or after an outage. */
  ready(): void
  /** Receives each change after the cache has handled it. */
  follower: FeedListener
  environment: Environment
}

/**
 * Follows the upstream's changes. Returns what the relay knows of the subscribers; the client's feed and bulk reads keep it
 * current.
 */
export function followUpstream({ config, cache, logger, ready, follower, environment }: Options): Knowledge {
  const { upstreamUrl: baseUrl, apiKey, maxSubscribers, onUnavailable } = config
  const clientFallback = onUnavailable === 'last-known' ? onUnavailable : 'deny'
  const options = completeOptions({ baseUrl, apiKey, maxSubscribers, logger, onUnavailable: clientFallback })
  const emitter = new Emitter(logger)
  emitter.on('ready', ready)
  return new Knowledge(options, environment, emitter, { cache, follower })
}

/** An environment that sets this process's clock to the time of the upstream's database, for request ids and `Date`. */
export function relayEnvironment(): Environment {
  const environment = environmentOf(undefined)
  return {
    ...environment,
    async fetch(url, init) {
      const sentAt = performance.now()
      const answer = await environment.fetch(url, init)
      const databaseMs = timeOfRequestId(answer.headers.get('x-request-id') ?? '')
      if (databaseMs !== null) setClock({ databaseMs, sentAt, answeredAt: performance.now() })
      return answer
    },
  }
}
