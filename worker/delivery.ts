import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { newId } from '../src/core/ids.ts'
import type { Vault } from '../src/core/vault.ts'
import { isOutage } from '../src/database/outage.ts'
import { claimLifetimeMs } from '../src/events/claim.ts'
import type { Clock } from './clock.ts'
import { Lane, type LaneOptions } from './lane.ts'
import { type Claimed, createLaneStore, type LaneStore, leaseMs } from './lane-store.ts'
import { type FinishedAttempt, recordAttempts } from './record-attempts.ts'
import type { Sender, SendResult } from './send.ts'

/** Leases are renewed so often; a wake that another worker took for us is seen then. */
const renewMs = 500
/** Taken off a lease, for a claim to come back and be used before it ends. */
const leaseMarginMs = 1500
const recordAtMost = 500
const retryMs = 250
const heldMs = 50
/** A shorter wait is kept by a timer of this process as well: the job queue looks every half second. */
const timerAtMostMs = 60_000

export type DeliveryOptions = {
  pool: pg.Pool
  boss: PgBoss
  vault: Vault
  sender: Sender
  clock: Clock
  logger: Pick<Logger, 'warn' | 'error'>
  waitsSeconds: readonly number[]
  timeoutMs: number
}

export type Delivery = {
  /** Something may be due for these organizations. Never waits, never fails. */
  wake(organizationIds: readonly string[]): void
  /** Organizations whose events wait while nobody sends for them. */
  findWaiting: LaneStore['findWaiting']
  /** Sends nothing more, lets what is under way end and be recorded, and gives the lanes back. */
  stop(): Promise<void>
}

/**
 * One loop for all lanes of this process: it writes down what ended, takes the lanes it was woken for, prolongs leases,
 * claims what is due where there is room, and lets idle lanes go. Only it talks to the database, one statement at a time,
 * so that an answer is never older than what it knows; no error ends it.
 */
export function startDelivery(options: DeliveryOptions): Delivery {
  const { pool, boss, vault, sender, clock, logger, waitsSeconds, timeoutMs } = options
  const store = createLaneStore({ pool, owner: newId(), clock })
  const lanes = new Map<string, Lane>()
  const toTake = new Set<string>()
  const timers = new Set<NodeJS.Timeout>()
  /** Organizations whose endpoint a write holds: their attempts are recorded a moment later, in their order. */
  const putOff = new Set<string>()
  let finished: FinishedAttempt[] = []
  let recordSize = recordAtMost
  let renewedAt = performance.now()
  let isStopping = false
  let isAbandoned = false
  let signal = Promise.withResolvers<void>()

  const kick = () => signal.resolve()

  async function attempt(claimed: Claimed, limits: { leftMs: number; mayLeave: () => boolean }): Promise<SendResult> {
    try {
      return await sender.send({
        id: claimed.eventId,
        url: claimed.url,
        body: Buffer.from(claimed.body, 'utf8'),
        secret: vault.decrypt('webhook-secret', claimed.organizationId, claimed.sealedSecret),
        now: clock.now(),
        timeoutMs,
        ...limits,
      })
    } catch (error) {
      logger.error({ err: error, organizationId: claimed.organizationId }, 'an event could not be signed')
      return { status: null, error: 'not sent: the signing secret could not be read', answer: null }
    }
  }

  const laneOptions: Omit<LaneOptions, 'organizationId'> = {
    timeoutMs,
    attempt,
    onFinished(made) {
      finished.push(made)
      kick()
    },
    onChange: kick,
  }

  /** Attempts that ended and whose organization is not put off. */
  function recordable(): FinishedAttempt[] {
    return finished.filter(({ organizationId }) => !putOff.has(organizationId))
  }

  async function record(): Promise<void> {
    const batch = recordable().slice(0, recordSize)
    if (batch.length === 0) return
    const recorded = await recordAttempts({ pool, boss, clock, waitsSeconds }, batch).catch((error) =>
      onRecordFailure(error, batch),
    )
    if (recorded === null) return
    recordSize = Math.min(recordAtMost, recordSize * 2)
    const { settled, held, paused, next } = recorded
    const done = new Set(settled)
    finished = finished.filter((attempt) => !done.has(attempt))
    for (const { organizationId, eventId } of settled) lanes.get(organizationId)?.setRecorded(eventId)
    for (const organizationId of paused) lanes.get(organizationId)?.dropClaimed()
    for (const { organizationId, waitMs } of next) wakeAfter(organizationId, waitMs)
    for (const organizationId of held) putOffRecording(organizationId)
  }

  /**
   * One attempt that cannot be recorded must not keep all others from it: they are tried one by one, and that one is given
   * up. Its event stays busy here, so that it is not sent again and again; once this worker is gone another sends it.
   */
  function onRecordFailure(error: unknown, batch: readonly FinishedAttempt[]): null {
    if (isOutage(error)) throw error
    recordSize = 1
    if (batch.length > 1) throw error
    const [lost] = batch
    logger.error({ err: error, eventId: lost?.eventId }, 'an attempt could not be recorded')
    finished = finished.filter((attempt) => attempt !== lost)
    return null
  }

  function putOffRecording(organizationId: string): void {
    putOff.add(organizationId)
    setTimeout(() => {
      putOff.delete(organizationId)
      kick()
    }, heldMs)
  }

  function wakeAfter(organizationId: string, waitMs: number): void {
    if (waitMs > timerAtMostMs || isStopping) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      wake([organizationId])
    }, waitMs + 1)
    timers.add(timer)
  }

  function wake(organizationIds: readonly string[]): void {
    if (isStopping) return
    for (const organizationId of organizationIds) {
      const lane = lanes.get(organizationId)
      if (lane && isHeld(lane)) lane.wake()
      else toTake.add(organizationId)
    }
    kick()
  }

  async function take(): Promise<void> {
    if (toTake.size === 0) return
    const wanted = [...toTake]
    // Before the statement: a wake that comes while it runs is for the next one.
    toTake.clear()
    const sentAt = performance.now()
    const mine = await store.take(wanted).catch((error) => {
      for (const organizationId of wanted) toTake.add(organizationId)
      throw error
    })
    for (const organizationId of mine) {
      const lane = lanes.get(organizationId) ?? new Lane({ ...laneOptions, organizationId })
      lanes.set(organizationId, lane)
      lane.heldUntil = sentAt + leaseMs - leaseMarginMs
      lane.wake()
    }
  }

  async function renew(): Promise<void> {
    if (performance.now() < renewedAt + renewMs) return
    const held = [...lanes.values()].filter(isHeld)
    if (held.length > 0) {
      const sentAt = performance.now()
      const renewed = await store.renew(held.map(({ organizationId }) => organizationId))
      for (const lane of held) {
        const woken = renewed.get(lane.organizationId)
        lane.heldUntil = woken === undefined ? 0 : sentAt + leaseMs - leaseMarginMs
        if (woken !== undefined && woken !== lane.woken) lane.wake()
      }
    }
    renewedAt = performance.now()
  }

  async function claim(): Promise<void> {
    if (isStopping) return
    const wanted = [...lanes.values()]
      .filter(isHeld)
      .map((lane) => ({ lane, organizationId: lane.organizationId, rows: lane.rowsToClaim() }))
      .filter(({ rows }) => rows > 0)
    if (wanted.length === 0) return
    const sentAt = performance.now()
    for (const { lane } of wanted) lane.beginClaim()
    const seen = await store.claim(wanted).catch((error) => {
      for (const { lane } of wanted) lane.wake()
      throw error
    })
    if (isStopping) return
    for (const { lane, organizationId, rows } of wanted) {
      const answer = seen.get(organizationId)
      if (answer) lane.setClaimed(answer, rows, sentAt + claimLifetimeMs)
      else lane.heldUntil = 0
    }
  }

  /** Lets idle lanes go, and forgets those that were lost. */
  async function release(): Promise<void> {
    const idle = [...lanes.values()].filter((lane) => isHeld(lane) && lane.isIdle)
    if (idle.length > 0) {
      const released = new Set(await store.release(idle))
      for (const lane of idle) {
        if (!released.has(lane.organizationId)) {
          // Another worker woke it since it was seen.
          lane.wake()
          continue
        }
        lane.heldUntil = 0
        // We were woken for it while it was let go.
        if (!lane.isIdle) toTake.add(lane.organizationId)
      }
    }
    for (const lane of lanes.values()) {
      if (isHeld(lane)) continue
      lane.dropClaimed()
      if (!lane.isBusy) lanes.delete(lane.organizationId)
    }
  }

  /** Whether it did something, so that there may be more to do at once. */
  function hasWork(): boolean {
    if (toTake.size > 0 || recordable().length > 0) return true
    if (isStopping) return false
    return [...lanes.values()].some((lane) => isHeld(lane) && (lane.rowsToClaim() > 0 || lane.isIdle))
  }

  /** Resolves at the next kick, or after this time. */
  async function signalled(atMostMs: number): Promise<void> {
    const timer = setTimeout(kick, atMostMs)
    await signal.promise
    clearTimeout(timer)
  }

  async function loop(): Promise<void> {
    let loggedAt = 0
    while (!isStopping || (!isAbandoned && [...lanes.values()].some((lane) => lane.isBusy))) {
      signal = Promise.withResolvers<void>()
      try {
        await record()
        await take()
        await renew()
        await claim()
        await release()
      } catch (error) {
        if (performance.now() - loggedAt > 5000 || !isOutage(error)) {
          loggedAt = performance.now()
          logger.warn({ err: error }, 'deliveries wait for the database')
        }
        await wait(retryMs)
        continue
      }
      if (!hasWork()) await signalled(renewMs)
    }
  }

  const ended = loop()
  return {
    wake,
    findWaiting: store.findWaiting,
    async stop() {
      isStopping = true
      for (const timer of timers) clearTimeout(timer)
      for (const lane of lanes.values()) lane.dropClaimed()
      toTake.clear()
      kick()
      // Attempts that could not be recorded by then are made again.
      await Promise.race([ended, wait(timeoutMs + stopMarginMs, undefined, { ref: false })])
      isAbandoned = true
      await store.releaseAll().catch((error) => logger.warn({ err: error }, 'lanes could not be given back'))
    },
  }
}

/** For the database to come back and take what ended last. */
const stopMarginMs = 5000

function isHeld(lane: Lane): boolean {
  return performance.now() < lane.heldUntil
}
