import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Api } from '../client/api/operation-types.ts'
import type { Knowledge } from '../client/knowledge.ts'
import type { StoredAnswers } from './stored-answers.ts'

type Options = {
  knowledge: Knowledge
  maxSubscribers: number
  logger: Pick<Logger, 'info' | 'error'>
  signal: AbortSignal
}

/** The subscribers per page, and the pause between pages, which leaves the upstream time for other relays. */
const pageSize = 100
const requestIntervalMs = 100
const retryMs = 2_000

/** Caches the stored answers, and requests new answers for their subscribers in bulk. */
export async function warmStoredSubscribers(
  stored: StoredAnswers,
  { knowledge, maxSubscribers, signal }: Options,
): Promise<void> {
  let count = 0
  for await (const { snapshot, sentAt } of stored.readAll()) {
    if (signal.aborted || count >= maxSubscribers) return
    count += 1
    knowledge.preload(snapshot, sentAt)
    knowledge.refill([snapshot.subscriber_id])
  }
}

/** Requests the answers of all subscribers, up to the size of the cache. */
export async function warmAllSubscribers(
  api: Pick<Api, 'listSubscribers'>,
  { knowledge, maxSubscribers, logger, signal }: Options,
): Promise<void> {
  let after: string | undefined
  for (let count = 0; count < maxSubscribers && !signal.aborted; ) {
    try {
      const page = await api.listSubscribers({ limit: pageSize, ...(after !== undefined && { starting_after: after }) })
      const ids = page.subscribers.map(({ subscriber_id: id }) => id).slice(0, maxSubscribers - count)
      await Promise.all(ids.map((id) => knowledge.ask(id)))
      count += ids.length
      after = ids.at(-1)
      if (!page.has_more) return logger.info({ subscribers: count }, 'all subscribers are cached')
      await wait(requestIntervalMs, undefined, { ref: false })
    } catch (error) {
      if ((error as { status?: unknown }).status === 403) return logger.error({ err: error }, cannotListSubscribers)
      await wait(retryMs, undefined, { ref: false })
    }
  }
}

const cannotListSubscribers =
  'RELAY_WARM=all needs a key that may list subscribers, such as one with the role viewer. With the present key, this relay caches a subscriber only after the first request for it'
