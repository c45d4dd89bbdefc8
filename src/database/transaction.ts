import type { Prisma } from './generated/client.ts'

/** Prisma's client within a transaction. */
export type Transaction = Prisma.TransactionClient
