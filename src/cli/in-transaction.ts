import type { Config } from '../config.ts'
import { setClock } from '../core/clock.ts'
import type { Vault } from '../core/vault.ts'
import { connectDatabase } from '../database/client.ts'
import {
  findGivenDatabase,
  findRunningDatabase,
  type LocatedDatabase,
  startEmbeddedDatabase,
} from '../database/locate-database.ts'
import { openVault } from '../database/master-key.ts'
import { migrate } from '../database/migrate.ts'
import type { Transaction } from '../database/transaction.ts'

type Run<T> = (context: {
  tx: Transaction
  /** The database's time. */
  now: Date
  /** Encrypts stored secrets. */
  openVault(): Promise<Vault>
}) => Promise<T>

/** Runs a transaction on the database. */
export async function inTransaction<T>(config: Config, run: Run<T>): Promise<T> {
  return onDatabase(config, (located) => transact(config, located, run))
}

/** Does this on a running server's database, or on an embedded PostgreSQL started only for it. */
export async function onDatabase<T>(config: Config, work: (located: LocatedDatabase) => Promise<T>): Promise<T> {
  const located = await locate(config)
  try {
    await migrate({ url: located.directUrl })
    return await work(located)
  } finally {
    await located.stop()
  }
}

async function locate(config: Config): Promise<LocatedDatabase> {
  const existing = (await findGivenDatabase(config)) ?? (await findRunningDatabase(config))
  return existing ?? startEmbeddedDatabase(config, console.error)
}

async function transact<T>(config: Config, { directUrl }: LocatedDatabase, run: Run<T>): Promise<T> {
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
