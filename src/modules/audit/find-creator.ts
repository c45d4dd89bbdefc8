import { Prisma } from '../../database/generated/client.ts'
import type { Queries } from '../../database/prisma.ts'
import { computedColumns, query, viaPrisma } from '../../database/sql.ts'
import { hasCreated } from './has-created.ts'

/** Finds the member who created the object that has this id now; null if the log no longer contains the entry. */
export async function findCreator(
  db: Queries,
  organizationId: string,
  { id, routes }: { id: string; routes: readonly string[] },
): Promise<string | null> {
  const [creation] = await viaPrisma(db).query(query`
    select ${computedColumns({ memberId: ['text', Prisma.sql`member_id`] })} from audit_event
     where organization_id = ${organizationId} and ${hasCreated(organizationId, id)} and route in (${Prisma.join([...routes])})
     order by audit_event_id desc limit 1`)
  return creation?.memberId ?? null
}
