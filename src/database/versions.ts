import { Prisma } from './generated/client.ts'

/** The details of a change of grants, or of the end of an override, that the rows do not contain. */
export type VersionedChange = {
  at: Date
  /** The member. */
  by: string
  note?: string | undefined
}

/** Selected before the change, in its transaction: the triggers that write versions read it. */
export function toSetting(change: VersionedChange): Prisma.Sql {
  return Prisma.sql`set_config('entitlements.change', ${JSON.stringify(change)}, true)`
}
