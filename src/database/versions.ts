import { Prisma } from './generated/client.ts'

/** The details of a change to grants, or of the end of an override, that the changed rows do not contain. */
export type VersionedChange = {
  at: Date
  /** The id of the member who made the change. */
  by: string
  note?: string | undefined
}

/** SQL that passes the change to the triggers that write versions. Select it before the change, in the same transaction. */
export function setVersionedChange(change: VersionedChange): Prisma.Sql {
  return Prisma.sql`set_config('entitlements.change', ${JSON.stringify(change)}, true)`
}
