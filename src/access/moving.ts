import { Overloaded } from '../core/errors.ts'

/*
 * The state of an organization stands in each of its members, because every write locks its caller's row and reads it again
 * under the lock. `npm run org:move` changes it:
 *
 * | member.moving_until  | Evals and reads | Writes, jobs and deliveries |
 * |----------------------|-----------------|-----------------------------|
 * | null, or in the past | served          | served                      |
 * | in the future        | served          | wait: 503, or later         |
 * | `moved`              | 503             | 503                         |
 *
 * The command renews a moment in the future while it lives, so that writes go on by themselves if it is killed.
 */
export const moved = `'9999-01-01 00:00:00+00'::timestamptz`

/** The type of the change that ends followers here, so that they connect again. */
export const movedType = 'organization.moved'

export function isMoved(member: string): string {
  return `coalesce(${member}.moving_until >= ${moved}, false)`
}

/** True for an organization that has moved, too. */
export function isMoving(member: string): string {
  return `coalesce(${member}.moving_until > clock_timestamp(), false)`
}

/** Whether jobs and deliveries may work for the organization. It has no members here while its rows arrive. */
export function isOpenToWorkers(organizationId: string): string {
  return `exists (select from member worked where worked.organization_id = ${organizationId} and not ${isMoving('worked')})`
}

export function organizationIsMoving(): Overloaded {
  return new Overloaded(
    'moving',
    'This organization is being moved to another database, so nothing was changed. Try again in a moment.',
  )
}
