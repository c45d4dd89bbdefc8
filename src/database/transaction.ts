import type { Queries } from './prisma.ts'

/** Prisma's client within a transaction. */
export type Transaction = Queries
