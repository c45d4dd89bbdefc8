import { describe, expect, it } from 'vitest'
import type { OverrideValue } from '../../src/modules/overrides/override.ts'
import {
  judgeChange,
  type StoredOverride,
  type WrittenOverride,
} from '../../src/modules/overrides/override-in-force.ts'
import { fc } from '../support/random.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const at = (offsetMs: number) => new Date(now.getTime() + offsetMs)

const values = fc.constantFrom<OverrideValue>(
  { kind: 'limit', limit: 1 },
  { kind: 'limit', limit: null },
  { kind: 'flag', allowed: true },
  { kind: 'config', value: { a: 1, b: [2] } },
  { kind: 'config', value: { b: [2], a: 1 } },
)
const ends = fc.option(fc.constantFrom(-60_000, -1, 0, 1, 60_000).map(at))
const written: fc.Arbitrary<WrittenOverride> = fc.record({ value: values, expiresAt: ends })
/** Rows as the service leaves them: a live override is not marked. */
const stored: fc.Arbitrary<StoredOverride> = fc
  .record({ value: values, expiresAt: ends, expiryMarked: fc.boolean() })
  .map((row) => ({ ...row, expiryMarked: row.expiryMarked && isExpired(row) }))
const nothing = fc.constant(null)

const isExpired = ({ expiresAt }: WrittenOverride) => expiresAt !== null && expiresAt <= now
/** A config value with its keys in another order is the same value. */
const nameOf = ({ value }: WrittenOverride) =>
  value.kind === 'config' ? 'config' : `${value.kind} ${value.kind === 'limit' ? value.limit : value.allowed}`
const inForce = (override: WrittenOverride | null) => (override && !isExpired(override) ? nameOf(override) : 'none')
const contentOf = (override: WrittenOverride | null) =>
  override && `${nameOf(override)} until ${override.expiresAt?.toISOString()}`
const waitsForExpiryEvent = (before: StoredOverride | null) =>
  before !== null && isExpired(before) && !before.expiryMarked

describe('an event with cause override', () => {
  it('is queued if and only if the override in force changes, unless its expiry still waits to be notified', () => {
    fc.assert(
      fc.property(fc.oneof(nothing, stored), fc.oneof(nothing, written), (before, after) => {
        fc.pre(!waitsForExpiryEvent(before))
        expect(judgeChange(before, after, now).isEvent).toBe(inForce(before) !== inForce(after))
      }),
    )
  })

  it('is queued for any change, and only for changes, to an override past expires_at that is not marked', () => {
    fc.assert(
      fc.property(stored, fc.oneof(nothing, written), (before, after) => {
        fc.pre(waitsForExpiryEvent(before))
        expect(judgeChange(before, after, now).isEvent).toBe(contentOf(before) !== contentOf(after))
      }),
    )
  })

  it('is not queued when only the end of the override in force moves, which followers are notified of', () => {
    fc.assert(
      fc.property(fc.oneof(nothing, stored), fc.oneof(nothing, written), (before, after) => {
        const { isEvent, movesEnd } = judgeChange(before, after, now)
        const isSameInForce = inForce(before) !== 'none' && inForce(before) === inForce(after)
        expect(movesEnd).toBe(!isEvent && isSameInForce && contentOf(before) !== contentOf(after))
      }),
    )
  })

  it('is not queued when a put equals what is stored', () => {
    fc.assert(
      fc.property(stored, (before) => {
        expect(judgeChange(before, before, now)).toEqual({
          isEvent: false,
          movesEnd: false,
          expiryMarked: before.expiryMarked,
        })
      }),
    )
  })
})

describe('the mark', () => {
  it('leaves an expiry to be notified if and only if the override is live, or its expiry event is still to come', () => {
    fc.assert(
      fc.property(fc.oneof(nothing, stored), written, (before, after) => {
        const { expiryMarked } = judgeChange(before, after, now)
        const isSame = contentOf(before) === contentOf(after)
        expect(expiryMarked).toBe(isSame ? before?.expiryMarked : isExpired(after))
      }),
    )
  })

  it('lets each end of an override in force be notified exactly once', () => {
    type Step = 'expire' | { after: WrittenOverride | null }
    const put = written.map((after): Step => ({ after }))
    const remove = fc.constant<Step>({ after: null })
    const expire = fc.constant<Step>('expire')
    const steps = fc.array(fc.oneof(put, remove, expire), { maxLength: 12 })
    fc.assert(
      fc.property(steps, (given) => {
        let row = null as StoredOverride | null
        let notified = 'none'
        for (const step of given) {
          if (step === 'expire') {
            if (!row || !waitsForExpiryEvent(row)) continue
            row = { ...row, expiryMarked: true }
            notified = 'none'
            continue
          }
          const { isEvent, expiryMarked } = judgeChange(row, step.after, now)
          row = step.after && { ...step.after, expiryMarked }
          if (isEvent) notified = inForce(row)
          expect(waitsForExpiryEvent(row) || notified === inForce(row)).toBe(true)
        }
      }),
    )
  })
})
