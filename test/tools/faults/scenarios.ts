import { hasFaketime } from '../../support/fake-clock.ts'
import { mayMountDisks } from '../../support/small-disk.ts'
import { pgbouncerVersion } from '../../support/spawn-pgbouncer.ts'
import { hasDebianPostgres } from './replicated-cluster.ts'
import type { Scenario } from './scenario.ts'
import { asynchronousFailover, databaseFaults, fullDisk, synchronousFailover } from './scenarios/database.ts'
import { monthEnd } from './scenarios/month-end.ts'
import { networkFaults } from './scenarios/network.ts'
import { processFaults } from './scenarios/processes.ts'

const directly = [...processFaults, ...networkFaults, ...databaseFaults]

/** The scenarios that also run behind PgBouncer, which has its own limits and connections. */
const alsoBehindPgbouncer = /API process stands still|cut|silence, then|PostgreSQL/

/** Scenarios that need PgBouncer, a standby, a small disk or another clock are omitted where these are not available. */
export const scenarios: readonly Scenario[] = [
  ...directly,
  ...(hasDebianPostgres ? [asynchronousFailover, synchronousFailover] : []),
  ...(mayMountDisks() ? [fullDisk] : []),
  ...(hasFaketime && hasDebianPostgres ? [monthEnd] : []),
  ...directly.flatMap((scenario): Scenario[] => {
    if (pgbouncerVersion === null || !alsoBehindPgbouncer.test(scenario.name)) return []
    return [{ ...scenario, name: `behind PgBouncer: ${scenario.name}`, variant: 'pgbouncer', inCi: false }]
  }),
]
