import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { expect } from 'vitest'
import { limitOf } from '../../support/limit-of.ts'
import type { Answer, Caller } from '../../support/service.ts'

/** Pauses, so that other programs get the machine. */
const pauseMs = 20

/** An answer, and the time it took. */
export type Timing = { status: number; tookMs: number }

/** One write, as its client saw it. */
export type WrittenValue = Timing & { key: string; requestId: string; message: string }

/** Each client creates features one after another until the load ends; the ledger records every answer. */
export function startWriting(admin: Caller, clients: number): { ledger: WrittenValue[]; end(): Promise<void> } {
  const ledger: WrittenValue[] = []
  let isEnded = false
  async function write(client: number): Promise<void> {
    for (let count = 0; !isEnded; count++) {
      const key = `f-${client}-${count}`
      const beganAt = performance.now()
      const answer = await admin.rest('POST', '/org/features', { key, name: key, kind: 'flag' })
      ledger.push({ key, ...readAnswer(answer), tookMs: performance.now() - beganAt })
      await wait(pauseMs)
    }
  }
  const writing = Promise.all(Array.from({ length: clients }, (_, client) => write(client)))
  return {
    ledger,
    async end() {
      isEnded = true
      await writing
    },
  }
}

/** Each client sends checks and reads one after another until the load ends. */
export function startReading(admin: Caller, clients: number): { answers: Timing[]; end(): Promise<void> } {
  const answers: Timing[] = []
  let isEnded = false
  async function ask(method: string, path: string, body?: unknown): Promise<void> {
    const beganAt = performance.now()
    const { status } = await admin.rest(method, path, body)
    answers.push({ status, tookMs: performance.now() - beganAt })
  }
  async function read(): Promise<void> {
    while (!isEnded) {
      await ask('POST', '/org/subscribers/ann/entitlements/check', { feature: 'sso' })
      await ask('GET', '/org/plans')
      await wait(pauseMs)
    }
  }
  const reading = Promise.all(Array.from({ length: clients }, read))
  return {
    answers,
    async end() {
      isEnded = true
      await reading
    },
  }
}

function readAnswer({ status, headers, body }: Answer): Pick<WrittenValue, 'requestId' | 'status' | 'message'> {
  return { status, requestId: headers.get('x-request-id') ?? '', message: body?.error?.message ?? '' }
}

/**
 * Compares the answers with the database. A successful write must be stored and recorded as a success. A refused write must not
 * be stored, and its entry, if any, must be a refusal. A write whose answer left the outcome open may be either, as its entry
 * says. No entry may be pending.
 */
export async function expectTrueLedger(
  pool: pg.Pool,
  { organizationId }: Caller,
  ledger: WrittenValue[],
): Promise<void> {
  const entriesOf = async () => {
    const { rows } = await pool.query<{ request_id: string; outcome: string; status: number | null }>(
      'select request_id, outcome, status from audit_event where organization_id = $1',
      [organizationId],
    )
    return rows
  }
  const isPending = async () => (await entriesOf()).some(({ outcome }) => outcome === 'pending')
  await expect.poll(isPending, { timeout: limitOf(60_000), interval: 200 }).toBe(false)

  const entries = new Map((await entriesOf()).map((entry) => [entry.request_id, entry]))
  const { rows } = await pool.query('select feature_key from feature where organization_id = $1', [organizationId])
  const stored = new Set(rows.map(({ feature_key }) => feature_key))
  const lies = ledger.filter((written) => !isTrue(written, stored.has(written.key), entries.get(written.requestId)))
  expect(lies).toEqual([])
}

function isTrue(
  { status, message }: WrittenValue,
  isStored: boolean,
  entry: { outcome: string; status: number | null } | undefined,
): boolean {
  if (status === 201) return isStored && entry?.status === 201
  if (status !== 503) return false
  if (message.includes('do not know')) return isStored ? entry?.status === 201 : entry?.outcome === 'no_response'
  return !isStored && (entry === undefined || entry.status === 503)
}
