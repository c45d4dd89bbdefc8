import { PrismaPg } from '@prisma/adapter-pg'
import type { ITXClientDenyList } from '@prisma/client/runtime/client'
import type pg from 'pg'
import { PrismaClient as GeneratedClient, type Prisma } from './generated/client.ts'
import { limits } from './limits.ts'

/** Columns that a query returns only if it selects them by name. */
const omit = {
  apiKey: { hash: true },
  webhookEndpoint: { secret: true },
  webhookEvent: { sequence: true },
} as const satisfies Prisma.GlobalOmitConfig

export type Omitted = typeof omit

/** The client with its real type: it knows what it omits. */
export type PrismaClient = GeneratedClient<never, Omitted>

/** What a read uses: the client, or the client within a transaction. */
export type Queries = Omit<PrismaClient, ITXClientDenyList>

export function createPrisma(pool: pg.Pool): PrismaClient {
  return new GeneratedClient({
    adapter: new PrismaPg(pool),
    omit,
    transactionOptions: { maxWait: limits.connectTimeoutMs, timeout: limits.transactionTimeoutMs },
  })
}
