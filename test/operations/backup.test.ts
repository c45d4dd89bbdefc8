import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migrate } from '../../src/database/migrate.ts'
import { temporaryFolder } from '../start/server-process.ts'
import { createDeliveryTest } from '../support/delivery.ts'
import { Cluster } from '../tools/faults/cluster.ts'
import { bin, hasDebianPostgres, ReplicatedCluster } from '../tools/faults/replicated-cluster.ts'
import { expectClientsWork, prepareMove } from './moved-database.ts'

/** Uses up transaction numbers, so that those of the stored changes are ahead of a new server's. */
const manyTransactions = `
  do $$ begin
    create temporary table used (n int);
    for n in 1..5000 loop
      begin
        insert into used values (n);
      exception when division_by_zero then null;
      end;
    end loop;
  end $$`

describe('a backup', () => {
  it('by pg_dump, or of the whole server, contains data, secrets and sessions; after a restore, followers start over', async ({
    skip,
  }) => {
    if (!hasDebianPostgres) return skip("Debian's PostgreSQL, with pg_dump and pg_basebackup, is not installed")
    const [cluster, target] = await Promise.all([ReplicatedCluster.start(), Cluster.start({ isEmpty: true })])
    onTestFinished(() => target.remove())
    onTestFinished(() => cluster.remove())
    await migrate({ url: cluster.url })
    const client = new pg.Client({ connectionString: cluster.url })
    await client.connect()
    await client.query(manyTransactions)
    await client.end()
    const test = await createDeliveryTest(cluster.url, { WEBHOOK_RETRY_WAITS_SECONDS: '0' })
    const worker = await test.worker()
    const moving = await prepareMove(test)
    await worker.stop()

    const file = join(temporaryFolder(), 'entitlements.dump')
    execFileSync(join(bin, 'pg_dump'), ['--format=custom', `--file=${file}`, cluster.url])
    const backup = await cluster.startBackup()
    execFileSync(join(bin, 'pg_restore'), ['--no-owner', '--exit-on-error', `--dbname=${target.url}`, file])

    await expectClientsWork(target.url, moving)
    await expectClientsWork(backup, moving)
    expect(moving.vendor.receiver.received.length).toBeGreaterThan(1)
  })
})
