import { setInstallationName } from '../access/installation.ts'
import type { Config } from '../config.ts'
import { setClock } from '../core/clock.ts'
import type { Vault } from '../core/vault.ts'
import { connectDatabase } from '../database/client.ts'
import type { LocatedDatabase } from '../database/locate-database.ts'
import { openVault } from '../database/master-key.ts'
import type { Transaction } from '../database/transaction.ts'
import { withMigratedDatabase } from './with-database.ts'

type Run<T> = (context: {
  tx: Transaction
  /** The database's time. */
  now: Date
  /** Opens the vault, which encrypts stored secrets. */
  openVault(): Promise<Vault>
}) => Promise<T>

/** Runs a transaction on the database. */
export async function inTransaction<T>(config: Config, run: Run<T>): Promise<T> {
  return withMigratedDatabase(config, (located) => transact(config, located, run))
}

async function transact<T>(config: Config, { directUrl }: LocatedDatabase, run: Run<T>): Promise<T> {
  setInstallationName(config.installation)
  // One connection for the transaction, one to check the master key.
  const database = connectDatabase({ url: directUrl, maxConnections: 2 })
  try {
    return await database.prisma.$transaction(async (tx) => {
      const sentAt = performance.now()
      const [clock] = await tx.$queryRaw<[{ now: Date }]>`select clock_timestamp() as now`
      setClock({ databaseMs: clock.now.getTime(), sentAt, answeredAt: performance.now() })
      return run({ tx, now: clock.now, openVault: () => openVault({ pool: database.pool, ...config }) })
    })
  } finally {
    await database.close()
  }
}
