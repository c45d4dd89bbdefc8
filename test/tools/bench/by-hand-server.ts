/**
 * The server that a team would write by hand on the same tables, with bare node:http. An eval is one query by primary key; a
 * write is one transaction that finds the subscriber and puts an override. It has no keys, counting, audit log or events.
 * Its only argument is the database's address. Prints its port. Paths: /pg/… and /prisma/…, then organization and subscriber.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { createPrisma } from '../../../src/database/prisma.ts'
import { featureOf } from './model.ts'

const pool = new pg.Pool({ connectionString: process.argv[2] as string, max: 20 })
const prisma = createPrisma(pool)
const { key: featureKey } = featureOf(1)

type Target = { organizationId: string; subscriberId: string }

const byHand = {
  pg: {
    async eval({ organizationId, subscriberId }: Target) {
      const { rows } = await pool.query({
        name: 'eval',
        text: 'select kind, "limit" from override where organization_id = $1 and subscriber_id = $2 and feature_key = $3',
        values: [organizationId, subscriberId, featureKey],
      })
      return rows[0]
    },
    async write({ organizationId, subscriberId }: Target) {
      const client = await pool.connect()
      await client.query('begin')
      await client.query({
        name: 'subscriber',
        text: 'select 1 from subscriber where organization_id = $1 and subscriber_id = $2 for update',
        values: [organizationId, subscriberId],
      })
      const { rows } = await client.query({
        name: 'write',
        text: `insert into override (organization_id, subscriber_id, feature_key, override_id, kind, "limit", created_at, updated_at)
               values ($1, $2, $3, gen_random_uuid()::text, 'limit', 5, now(), now())
                   on conflict (organization_id, subscriber_id, feature_key)
                   do update set "limit" = excluded."limit" + 1, updated_at = now()
               returning kind, "limit"`,
        values: [organizationId, subscriberId, featureKey],
      })
      await client.query('commit')
      client.release()
      return rows[0]
    },
  },
  prisma: {
    eval: (target: Target) =>
      prisma.override.findUnique({
        where: { organizationId_subscriberId_featureKey: { ...target, featureKey } },
        select: { kind: true, limit: true },
      }),
    write: (target: Target) =>
      prisma.$transaction(async (tx) => {
        const { organizationId, subscriberId } = target
        await tx.subscriber.findUniqueOrThrow({ where: { organizationId_id: { organizationId, id: subscriberId } } })
        const now = new Date()
        return tx.override.upsert({
          where: { organizationId_subscriberId_featureKey: { ...target, featureKey } },
          create: {
            ...target,
            featureKey,
            id: crypto.randomUUID(),
            kind: 'limit',
            limit: 5,
            createdAt: now,
            updatedAt: now,
          },
          update: { limit: 6, updatedAt: now },
          select: { kind: true, limit: true },
        })
      }),
  },
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  request.resume()
  const [, way, what, organizationId, subscriberId] = (request.url as string).split('/') as string[]
  const run = byHand[way as 'pg' | 'prisma'][what as 'eval' | 'write']
  const found = await run({ organizationId, subscriberId } as Target)
  const body = JSON.stringify({ allowed: found !== null, ...found, limit: Number(found?.limit ?? 0) })
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

const server = createServer((request, response) => void answer(request, response))
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
