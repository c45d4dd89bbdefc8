import type { Database } from '../../database/client.ts'
import type { LinkContext } from '../invites/invite.ts'
import { type NewOrganization, setUpOrganization } from './new-organization.ts'

/** Creates the first organization in an empty database. */
export async function createFirstOrganization({ prisma }: Database, links: LinkContext): Promise<NewOrganization> {
  return prisma.$transaction(async (tx) => {
    const [clock] = await tx.$queryRaw<[{ now: Date }]>`select clock_timestamp() as now`
    return setUpOrganization(tx, { name: 'My organization', now: clock.now, links })
  })
}
