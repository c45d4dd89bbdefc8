import type { Logger } from 'pino'
import type { Identity } from '../access/identity.ts'
import type { LastUses } from '../access/last-uses.ts'
import type { FairQueue } from '../core/fair-queue.ts'
import type { Places } from '../core/places.ts'
import type { Vault } from '../core/vault.ts'
import type { Database } from '../database/client.ts'
import type { Jobs } from '../events/jobs.ts'
import type { Gate } from '../gate/gate.ts'
import type { FailureLog } from '../http/failure-log.ts'
import type { OwnAddress } from '../http/own-address.ts'
import type { Settler } from '../recording/settler.ts'
import type { Observer } from './observation.ts'
import type { Limits } from './operation.ts'
import type { Rates } from './rate.ts'

/** What operations use; built once when the process starts. */
export type Services = {
  database: Database
  gate: Gate
  jobs: Jobs
  vault: Vault
  limits: Limits
  identity: Identity
  lastUses: LastUses
  settler: Settler
  queue: FairQueue
  /** For writes of many lines, which may run for hours. */
  bulkPlaces: Places
  rates: Rates
  address: OwnAddress
  logger: Logger
  failures: FailureLog
  /** Is notified of every request for an operation. */
  observe: Observer
}
