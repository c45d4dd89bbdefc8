import type { Database } from '../../database/client.ts'
import { createOrganization, type NewOrganization } from './create-organization.ts'

/** The organization to begin with, on a database that has none. */
export async function createFirstOrganization({ prisma }: Database): Promise<NewOrganization> {
  return prisma.$transaction(async (tx) => {
    const [clock] = await tx.$queryRaw<[{ now: Date }]>`select clock_timestamp() as now`
    return createOrganization(tx, { name: 'My organization', now: clock.now })
  })
}
