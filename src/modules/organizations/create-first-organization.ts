import type { Database } from '../../database/client.ts'
import { createOrganization, type NewOrganization } from './create-organization.ts'

/** On a database without any organization: one to begin with. Null where there is one already. */
export async function createFirstOrganization({ prisma }: Database): Promise<NewOrganization | null> {
  return prisma.$transaction(async (tx) => {
    if ((await tx.organization.count({ take: 1 })) > 0) return null
    const [clock] = await tx.$queryRaw<[{ now: Date }]>`select clock_timestamp() as now`
    return createOrganization(tx, { name: 'My organization', now: clock.now })
  })
}
