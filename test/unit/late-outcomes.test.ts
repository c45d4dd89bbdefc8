import { describe, expect, it } from 'vitest'
import type { AuditEntry, EntryOutcome } from '../../src/recording/entry.ts'
import { createLateOutcomes } from '../../src/recording/late-outcomes.ts'

const lost: EntryOutcome = { outcome: 'no_response', status: null }
const failed: EntryOutcome = { outcome: 'responded', status: 503 }
const entry = (id: string): AuditEntry => ({
  log: 'organization',
  ownerId: 'acme',
  id,
  newIdentity: null,
  recordedAt: new Date(0),
  insertAgain: () => ({ text: '' }),
})

/** A database that answers on request, and the statements that it received. */
function start({ isAway = false, closeTimeoutMs = 1000, retryMs = 5 } = {}) {
  const database = { isAway, attempts: 0, recorded: [] as [id: string, verdict: EntryOutcome][] }
  const warnings: unknown[] = []
  const lateOutcomes = createLateOutcomes({
    retryMs,
    closeTimeoutMs,
    logger: { warn: (...args: unknown[]) => void warnings.push(args) },
    async record({ id }, verdict) {
      database.attempts += 1
      if (database.isAway) throw new Error('away')
      database.recorded.push([id, verdict])
    },
  })
  return { database, lateOutcomes, warnings }
}

describe('late outcomes', () => {
  it('are recorded when the database answers again, once for each entry', async () => {
    const { database, lateOutcomes } = start({ isAway: true })
    lateOutcomes.record(entry('a'), lost)
    lateOutcomes.record(entry('b'), failed)
    await expect.poll(() => database.attempts).toBeGreaterThan(2)

    database.isAway = false
    await expect.poll(() => database.recorded).toHaveLength(2)
    await lateOutcomes.close()

    expect(new Map(database.recorded)).toEqual(
      new Map<string, EntryOutcome>([
        ['a', lost],
        ['b', failed],
      ]),
    )
    expect(database.recorded).toHaveLength(2)
  })

  it('are tried once more when the service stops, and logged if their entries stay pending', async () => {
    const answering = start({ retryMs: 60_000 })
    answering.lateOutcomes.record(entry('a'), lost)
    await answering.lateOutcomes.close()
    expect(answering.database.recorded).toEqual([['a', lost]])

    const away = start({ isAway: true, retryMs: 60_000 })
    away.lateOutcomes.record(entry('a'), lost)
    await away.lateOutcomes.close()
    expect(away.database.attempts).toBe(1)
    expect(away.warnings.at(-1)).toEqual([
      { auditEventId: 'a' },
      'the outcome of a request was not recorded: its entry stays pending',
    ])
  })

  it('do not delay the stop of the service if the database does not answer', async () => {
    const lateOutcomes = createLateOutcomes({
      record: () => new Promise(() => {}),
      logger: { warn: () => {} },
      retryMs: 60_000,
      closeTimeoutMs: 10,
    })
    lateOutcomes.record(entry('a'), lost)

    await lateOutcomes.close()
  })
})
