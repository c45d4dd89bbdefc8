import { limits } from '../database/limits.ts'

/**
 * Every wait of a write has a limit, so that it is answered within ten seconds. Until `begun` the entry is recorded and the
 * transaction runs to its COMMIT; until `committed`, for at most `commit`, the reply to COMMIT is awaited; until `readBack` the
 * entry is read back. A failure is then recorded within `outcome`, or in the background.
 */
export const budgetMs = { begun: 6_000, committed: 7_000, commit: 4_000, readBack: 8_700, outcome: 800 }
export const transactionLimits = { maxWait: limits.connectTimeoutMs, timeout: limits.transactionTimeoutMs }
