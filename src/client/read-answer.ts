import { type JsonAnswer, unexpectedAnswer } from './api/request.ts'
import { type Entry, toEntry } from './cache.ts'
import type { FetchAnswer } from './platform.ts'
import type { Server } from './server.ts'
import type { ServerClock } from './server-clock.ts'
import { isSnapshot, type Snapshot } from './snapshot.ts'

/** `sentAt`: when the request was sent. */
type SentRequest = { clock: ServerClock; server: Server; sentAt: number }

/** Reads the answer about one subscriber. `last` is the cached answer, which a 304 confirms. */
export function readSnapshot(
  { status, headers, body }: JsonAnswer,
  { clock, server, sentAt, last }: SentRequest & { last: Entry | undefined },
): Entry {
  const snapshot = status === 304 ? last?.snapshot : body
  if (!isSnapshot(snapshot)) throw unexpectedAnswer(server, { status, headers })
  const receivedAt = clock.recordServerTime(headers, sentAt)
  return toKnownEntry(snapshot, { clock, ...answerTimes(headers, { sentAt, receivedAt }), etag: headers.get('etag') })
}

type AnswerTimes = Pick<Entry, 'sentAt' | 'receivedAt' | 'isStale'>

/**
 * The times of an answer, minus its age. A relay answers from its own memory: its answer has an `Age`, and during an outage the
 * answer is outdated, or denies everything.
 */
function answerTimes(
  headers: FetchAnswer['headers'],
  { sentAt, receivedAt }: Pick<Entry, 'sentAt' | 'receivedAt'>,
): AnswerTimes {
  const from = headers.get('x-entitlements-from')
  const ageMs = from === 'deny' ? Number.POSITIVE_INFINITY : ageOf(headers)
  const isStale = from === 'last-known' || from === 'deny'
  return { sentAt: sentAt - ageMs, receivedAt: receivedAt === null ? null : receivedAt - ageMs, isStale }
}

/** The age of an answer in milliseconds. The header `Age` has whole seconds. */
export function ageOf(headers: FetchAnswer['headers']): number {
  return Math.max(Number(headers.get('age')) || 0, 0) * 1_000
}

/** Reads the answers by subscriber. The caller requests subscribers without an answer again. */
export function readSnapshots(
  { status, headers, body }: JsonAnswer,
  { clock, server, sentAt }: SentRequest,
): Map<string, Entry> {
  const { snapshots, unknown, left } = (body ?? {}) as { snapshots?: unknown; unknown?: unknown; left?: unknown }
  const isWhole =
    Array.isArray(snapshots) && snapshots.every(isSnapshot) && Array.isArray(unknown) && Array.isArray(left)
  // Without any answer in the body, the client would repeat the request forever.
  if (!isWhole || snapshots.length + unknown.length === 0) throw unexpectedAnswer(server, { status, headers })
  const asked = answerTimes(headers, { sentAt, receivedAt: clock.recordServerTime(headers, sentAt) })
  const entries = new Map<string, Entry>()
  for (const each of snapshots as Snapshot[])
    entries.set(each.subscriber_id, toKnownEntry(each, { clock, ...asked, etag: null }))
  for (const id of unknown as string[]) entries.set(id, toUnknownEntry(asked))
  return entries
}

export function toUnknownEntry(asked: AnswerTimes): Entry {
  return toEntry(null, { ...asked, etag: null, endsAt: Number.POSITIVE_INFINITY })
}

function toKnownEntry(
  snapshot: Snapshot,
  { clock, ...asked }: Pick<SentRequest, 'clock'> & AnswerTimes & Pick<Entry, 'etag'>,
): Entry {
  const validUntil = snapshot.valid_until
  const endsAt = validUntil === null ? Number.POSITIVE_INFINITY : clock.earliestTimeOf(Date.parse(validUntil))
  return toEntry(snapshot, { ...asked, endsAt })
}
