import { describe, expect, it } from 'vitest'
import { limitOf } from '../../support/limit-of.ts'
import { defaultSeed } from '../../support/seeded-random.ts'
import { describeFindings, tableHead, tableRow } from '../../tools/faults/report.ts'
import { runFaults } from '../../tools/faults/run-faults.ts'
import { scenarios } from '../../tools/faults/scenarios.ts'

/** The scenarios share processes and a database, so they run one after the other: about ten, of a quarter of a minute each. */
const timeout = limitOf(600_000)

describe('faults under load', () => {
  it('lose no answered write and no event, keep events in order, and leave no wrong audit entry', {
    timeout,
  }, async () => {
    const rows = await runFaults({ scenarios: scenarios.filter(({ inCi }) => inCi), isLong: false, seed: defaultSeed })

    console.log([`--seed ${defaultSeed}`, tableHead(), ...rows.map(tableRow)].join('\n'))
    expect(rows.flatMap(describeFindings)).toEqual([])
    expect(rows.filter(({ verdict, evals }) => verdict.answered === 0 || evals === 0)).toEqual([])
  })
})
