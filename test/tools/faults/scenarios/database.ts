import { setTimeout as wait } from 'node:timers/promises'
import { administer } from '../../../support/administer.ts'
import { Cluster } from '../cluster.ts'
import { ReplicatedCluster } from '../replicated-cluster.ts'
import type { Scenario, ScenarioContext } from '../scenario.ts'

export const databaseFaults: Scenario[] = [
  {
    name: 'kill -9 of PostgreSQL',
    inCi: true,
    longRounds: 5,
    async inflict({ stage: { cluster, proxy } }) {
      if (!(cluster instanceof Cluster)) throw new Error('Only the embedded PostgreSQL can be killed.')
      await cluster.kill()
      await cluster.startAgain()
      proxy.routeTo(cluster.url)
    },
  },
  {
    name: 'the database refuses connections',
    inCi: false,
    longRounds: 5,
    async inflict({ stage: { cluster }, isLong }) {
      const server = new URL(cluster.superuserUrl)
      const name = server.pathname.slice(1)
      server.pathname = '/postgres'
      await administer(server.href, `alter database ${name} with allow_connections false`)
      await administer(server.href, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
      await wait(isLong ? 10_000 : 3_000)
      await administer(server.href, `alter database ${name} with allow_connections true`)
    },
  },
  { name: 'read-only, as a standby is', inCi: true, longRounds: 5, inflict: beReadOnly },
  { name: 'the clock steps back an hour', inCi: true, longRounds: 5, inflict: stepBack },
]

async function beReadOnly({ stage: { cluster }, isLong }: ScenarioContext): Promise<void> {
  const { superuserUrl } = cluster
  await administer(superuserUrl, 'alter system set default_transaction_read_only = on')
  await administer(superuserUrl, 'select pg_reload_conf()')
  await wait(isLong ? 10_000 : 3_000)
  await administer(superuserUrl, 'alter system reset default_transaction_read_only')
  await administer(superuserUrl, 'select pg_reload_conf()')
}

/**
 * Writes the rows that remain after the clock was set back an hour: leases and queued events with times an hour ahead.
 */
async function stepBack({ stage, tenants }: ScenarioContext): Promise<void> {
  const those = `organization_id in (${tenants.map(({ organizationId }) => `'${organizationId}'`).join(', ')})`
  await administer(
    stage.databaseUrl,
    `update webhook_lane set owner = 'gone', lease_until = clock_timestamp() + interval '1 hour' where ${those};
     update webhook_event set due_at = due_at + interval '1 hour' where ${those} and state = 'queued'`,
  )
}

/** This scenario and the next one are omitted where Debian's PostgreSQL is not installed. */
export const asynchronousFailover: Scenario = {
  name: 'asynchronous failover to a standby',
  variant: 'standby',
  inCi: false,
  longRounds: 1,
  async inflict({ stage: { cluster, proxy }, load }) {
    if (!(cluster instanceof ReplicatedCluster)) throw new Error('There is no standby.')
    await cluster.stopReplication()
    load.beginLoss()
    await load.goodWritesAfter(40)
    proxy.refuseConnections()
    await cluster.failOver()
    load.endLoss()
    proxy.routeTo(cluster.url)
    proxy.open()
  },
}

/** No answered write may be missing afterwards. */
export const synchronousFailover: Scenario = {
  name: 'failover to a synchronous standby',
  variant: 'synchronous standby',
  inCi: false,
  longRounds: 1,
  async inflict({ stage: { cluster, proxy } }) {
    if (!(cluster instanceof ReplicatedCluster)) throw new Error('There is no standby.')
    await cluster.failOver()
    proxy.routeTo(cluster.url)
    proxy.refuseConnections()
    proxy.open()
  },
}

/** Omitted where this user may not mount a disk. */
export const fullDisk: Scenario = {
  name: 'a full disk',
  variant: 'small disk',
  inCi: false,
  longRounds: 5,
  async inflict({ stage: { cluster }, isLong }) {
    if (!(cluster instanceof Cluster) || cluster.disk === null) throw new Error('There is no small disk.')
    cluster.disk.fill()
    await wait(isLong ? 15_000 : 5_000)
    cluster.disk.clear()
  },
}
