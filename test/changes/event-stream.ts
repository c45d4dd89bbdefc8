import { expect, onTestFinished } from 'vitest'
import { readSentEvents, type SentEvent } from '../support/sent-events.ts'
import type { Answer } from '../support/service.ts'
import { until } from '../support/until.ts'

/** A stream of server-sent events, read as it arrives. */
export async function openStream(url: string, headers: Record<string, string>, { readsAtOnce = true } = {}) {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const answer = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: leaving.signal })
  const events: SentEvent[] = []
  let hasEnded = false
  let reading: Promise<void> | undefined
  const start = () => {
    reading ??= read(answer.body as never, events)
      .catch(() => {})
      .finally(() => {
        hasEnded = true
      })
  }
  if (readsAtOnce) start()
  return {
    /** Starts to read, unless the stream is already being read. */
    read: start,
    status: answer.status,
    headers: answer.headers,
    events,
    /** The bodies of the changes so far. */
    changes: () => events.filter(({ event }) => event.includes('.')).map(({ data }) => data),
    hasEnded: () => hasEnded,
    /** Waits for the next event of this type, and removes it and all earlier events. */
    async take(type: string): Promise<SentEvent> {
      await until(() => events.some(({ event }) => event === type) || hasEnded)
      const at = events.findIndex(({ event }) => event === type)
      if (at === -1) throw new Error(`The stream ended without an event ${type}.`)
      return events.splice(0, at + 1).at(-1) as SentEvent
    },
    async leave() {
      leaving.abort()
      await reading
    },
  }
}

type Stream = Awaited<ReturnType<typeof openStream>>

/** Makes changes, each after the stream has sent the previous one, until an alive event comes. Returns their number. */
export async function changeUntilAlive(stream: Stream, change: (name: string) => Promise<Answer>): Promise<number> {
  let made = 0
  await until(async () => {
    made += 1
    expect((await change(`Name ${made}`)).status).toBe(200)
    await until(() => stream.changes().length === made)
    return stream.events.some(({ event }) => event === 'alive')
  })
  return made
}

async function read(body: AsyncIterable<Uint8Array>, events: SentEvent[]): Promise<void> {
  for await (const event of readSentEvents(body)) events.push(event)
}
