import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../src/config.ts'
import type { Vault } from '../src/core/vault.ts'
import { deriveAuditKeys } from '../src/database/master-key.ts'
import type { Clock } from './clock.ts'
import { FailureLog } from './failure-log.ts'
import { pruneAudit } from './jobs/prune-audit.ts'
import { pruneChanges } from './jobs/prune-changes.ts'
import { pruneEvalBatches } from './jobs/prune-eval-batches.ts'
import { pruneEvents } from './jobs/prune-events.ts'
import { pruneFeatureUsage } from './jobs/prune-feature-usage.ts'
import { pruneIdempotencyRecords } from './jobs/prune-idempotency-records.ts'
import { pruneSessionsAndInvites } from './jobs/prune-sessions-and-invites.ts'
import { pruneTokenCounters } from './jobs/prune-token-counters.ts'
import { pruneVersions } from './jobs/prune-versions.ts'
import { repeat } from './repeat.ts'

const everyMs = 60 * 60 * 1000

type PruningOptions = {
  config: Pick<Config, 'webhookRetentionDays' | 'changesRetentionHours' | 'auditRetentionDays'>
  pool: pg.Pool
  clock: Clock
  vault: Vault
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
}

type StepOptions = { pool: pg.Pool; clock: Clock; signal: AbortSignal; onFailure: (error: unknown) => void }
type Step = (options: StepOptions) => Promise<unknown>

/**
 * Deletes all rows whose retention has ended, one kind after another, now and every hour. A kind that fails is logged by its
 * name, and the others are deleted nevertheless.
 */
export function startPruning({ config, pool, clock, vault, logger }: PruningOptions) {
  const keys = deriveAuditKeys(vault)
  const { webhookRetentionDays, changesRetentionHours, auditRetentionDays: retentionDays } = config
  const steps: Record<string, Step> = {
    'the counts of batches': pruneEvalBatches,
    events: (options) => pruneEvents({ ...options, retentionDays: webhookRetentionDays }),
    changes: (options) => pruneChanges({ ...options, retentionHours: changesRetentionHours }),
    'counters of tokens': pruneTokenCounters,
    'idempotency records': pruneIdempotencyRecords,
    'sessions and invites': pruneSessionsAndInvites,
    'counts of features': pruneFeatureUsage,
    ...(retentionDays !== undefined && {
      versions: (options) => pruneVersions({ ...options, retentionDays }),
      'the audit log': (options) => pruneAudit({ ...options, keys, logger, retentionDays }),
    }),
  }
  const logged = Object.entries(steps).map(([rows, run]) => ({ run, log: new FailureLog(logger, `pruning ${rows}`) }))
  return repeat({ everyMs, what: 'pruning rows whose retention has ended', logger }, async (signal) => {
    for (const { run, log } of logged) await runLogged(log, (onFailure) => run({ pool, clock, signal, onFailure }))
  })
}

async function runLogged(log: FailureLog, run: (onFailure: (error: unknown) => void) => Promise<unknown>) {
  let hasFailed = false
  const onFailure = (error: unknown) => {
    hasFailed = true
    log.failed(error)
  }
  await run(onFailure).catch(onFailure)
  if (!hasFailed) log.succeeded()
}
