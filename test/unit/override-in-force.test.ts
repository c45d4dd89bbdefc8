import { describe, expect, it } from 'vitest'
import type { OverrideValue } from '../../src/modules/overrides/override.ts'
import {
  classifyChange,
  type StoredOverride,
  type WrittenOverride,
} from '../../src/modules/overrides/override-in-force.ts'
import { fc } from '../support/random.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const timeAt = (offsetMs: number) => new Date(now.getTime() + offsetMs)

const values = fc.constantFrom<OverrideValue>(
  { kind: 'limit', limit: 1 },
  { kind: 'limit', limit: null },
  { kind: 'flag', allowed: true },
  { kind: 'config', value: { a: 1, b: [2] } },
  { kind: 'config', value: { b: [2], a: 1 } },
)
const ends = fc.option(fc.constantFrom(-60_000, -1, 0, 1, 60_000).map(timeAt))
const starts = fc.option(fc.constantFrom(1, 60_000).map(timeAt), { freq: 2 })
const written: fc.Arbitrary<WrittenOverride> = fc.record({ value: values, startsAt: starts, expiresAt: ends })
/** Rows as the service leaves them: only expired ones are marked, and only started ones have a due start. */
const stored: fc.Arbitrary<StoredOverride> = fc
  .record({ value: values, startsAt: starts, expiresAt: ends, expiryMarked: fc.boolean(), isStartDue: fc.boolean() })
  .map((row) => {
    const isStartDue = row.isStartDue && row.startsAt === null
    return { ...row, isStartDue, expiryMarked: row.expiryMarked && isExpired(row) && !isStartDue }
  })
const nothing = fc.constant(null)

const isAhead = (override: WrittenOverride | null) => override !== null && override.startsAt !== null
const isExpired = ({ startsAt, expiresAt }: WrittenOverride) =>
  startsAt === null && expiresAt !== null && expiresAt <= now
/** A config value with its keys in another order is the same value. */
const nameOf = ({ value }: WrittenOverride) =>
  value.kind === 'config' ? 'config' : `${value.kind} ${value.kind === 'limit' ? value.limit : value.allowed}`
const inForce = (override: WrittenOverride | null) =>
  override && !isAhead(override) && !isExpired(override) ? nameOf(override) : 'none'
const contentOf = (override: WrittenOverride | null) =>
  override && `${nameOf(override)} from ${override.startsAt?.toISOString()} until ${override.expiresAt?.toISOString()}`
const waitsForEvent = (before: StoredOverride | null) =>
  before !== null && (before.isStartDue || (isExpired(before) && !before.expiryMarked))

describe('an event with cause override', () => {
  it('is queued if and only if the override in force changes, once earlier starts and expiries have been reported', () => {
    fc.assert(
      fc.property(fc.oneof(nothing, stored), fc.oneof(nothing, written), (before, after) => {
        fc.pre(!waitsForEvent(before))
        expect(classifyChange(before, after, now).isEvent).toBe(inForce(before) !== inForce(after))
      }),
    )
  })

  it('is queued for any change to an override whose start or expiry has passed but is not reported yet', () => {
    fc.assert(
      fc.property(stored, fc.oneof(nothing, written), (before, after) => {
        fc.pre(waitsForEvent(before))
        const isChange = contentOf(before) !== contentOf(after)
        // A change of only the note also sends the notification of the start.
        expect(classifyChange(before, after, now).isEvent).toBe(isChange || before.isStartDue)
      }),
    )
  })

  it('is not queued when only the expiry of the override in force moves: only followers are notified', () => {
    fc.assert(
      fc.property(fc.oneof(nothing, stored), fc.oneof(nothing, written), (before, after) => {
        const { isEvent, movesEnd } = classifyChange(before, after, now)
        const isSameInForce = inForce(before) !== 'none' && inForce(before) === inForce(after)
        const isMoved = isSameInForce || isAhead(before) || isAhead(after)
        expect(movesEnd).toBe(!isEvent && isMoved && contentOf(before) !== contentOf(after))
      }),
    )
  })

  it("is queued for a put that equals the stored override only if the override's start has not been reported yet", () => {
    fc.assert(
      fc.property(stored, (before) => {
        expect(classifyChange(before, before, now)).toEqual({
          isEvent: before.isStartDue,
          movesEnd: false,
          expiryMarked: before.expiryMarked,
        })
      }),
    )
  })
})

describe('the mark on an override whose expiry has been handled', () => {
  it('is kept if the override stays the same, and otherwise set if and only if the override has expired', () => {
    fc.assert(
      fc.property(fc.oneof(nothing, stored), written, (before, after) => {
        const { expiryMarked } = classifyChange(before, after, now)
        const isSame = contentOf(before) === contentOf(after)
        expect(expiryMarked).toBe(isSame ? before?.expiryMarked : isExpired(after))
      }),
    )
  })

  it('never hides a change of the override in force: its notification was sent or will be sent', () => {
    type Step = 'start' | 'tell' | { after: WrittenOverride | null }
    const put = written.map((after): Step => ({ after }))
    const remove = fc.constant<Step>({ after: null })
    const others = fc.constantFrom<Step[]>('start', 'tell')
    const steps = fc.array(fc.oneof(put, remove, others), { maxLength: 12 })
    fc.assert(
      fc.property(steps, (sequence) => {
        let row = null as StoredOverride | null
        let notified = 'none'
        for (const step of sequence) {
          if (step === 'start') {
            if (row?.startsAt) row = { ...row, startsAt: null, isStartDue: true }
            continue
          }
          if (step === 'tell') {
            if (!row || !waitsForEvent(row)) continue
            row = row.isStartDue ? { ...row, isStartDue: false } : { ...row, expiryMarked: true }
            notified = inForce(row)
            continue
          }
          const { isEvent, expiryMarked } = classifyChange(row, step.after, now)
          row = step.after && { ...step.after, expiryMarked, isStartDue: false }
          if (isEvent) notified = inForce(row)
          expect(waitsForEvent(row) || notified === inForce(row)).toBe(true)
        }
      }),
    )
  })
})
