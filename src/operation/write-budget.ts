import { limits } from '../database/limits.ts'

/**
 * Limits on each wait of a write, so that it is answered within ten seconds. `begun`, `committed` and `readBack` count from the
 * write's start. By `begun`, the entry is recorded and COMMIT is sent. The reply to COMMIT must arrive by `committed`, and
 * within `commit`; otherwise the entry is read back by `readBack`. A failure is then recorded within `outcome`, or in the
 * background. A write with a long preparation is the exception: its budget begins after the preparation.
 */
export const budgetMs = { begun: 6_000, committed: 7_000, commit: 4_000, readBack: 8_700, outcome: 800 }
export const transactionLimits = { maxWait: limits.connectTimeoutMs, timeout: limits.transactionTimeoutMs }
