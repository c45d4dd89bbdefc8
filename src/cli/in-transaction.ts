import type { Config } from '../config.ts'
import { connectDatabase } from '../database/client.ts'
import {
  findGivenDatabase,
  findRunningDatabase,
  type LocatedDatabase,
  startEmbeddedDatabase,
} from '../database/locate-database.ts'
import { migrate } from '../database/migrate.ts'
import type { Transaction } from '../operation/operation.ts'

/** One transaction on the database of a running server, or on the embedded PostgreSQL started for it alone. */
export async function inTransaction<T>(config: Config, run: (tx: Transaction, now: Date) => Promise<T>): Promise<T> {
  const located = await locate(config)
  try {
    await migrate({ url: located.directUrl })
    return await transact(located, run)
  } finally {
    await located.stop()
  }
}

async function locate(config: Config): Promise<LocatedDatabase> {
  const existing = (await findGivenDatabase(config)) ?? (await findRunningDatabase(config))
  return existing ?? startEmbeddedDatabase(config, console.error)
}

async function transact<T>(
  { directUrl }: LocatedDatabase,
  run: (tx: Transaction, now: Date) => Promise<T>,
): Promise<T> {
  const database = connectDatabase({ url: directUrl, maxConnections: 1 })
  try {
    return await database.prisma.$transaction(async (tx) => {
      const [clock] = await tx.$queryRaw<[{ now: Date }]>`select clock_timestamp() as now`
      return run(tx, clock.now)
    })
  } finally {
    await database.close()
  }
}
