import { Overloaded } from '../core/errors.ts'

/*
 * The state of a move is stored in each member of the organization, because every write locks its caller's row and reads it
 * under the lock. `npm run org:move` changes the state:
 *
 * | member.moving_until  | Evals and reads | Writes, jobs and deliveries |
 * |----------------------|-----------------|-----------------------------|
 * | null, or in the past | served          | served                      |
 * | in the future        | served          | writes get 503, others wait |
 * | `moved`              | 503             | 503                         |
 *
 * The command renews the time in the future as long as it runs, so that writes work again by themselves if it is killed.
 */
export const movedMark = `'9999-01-01 00:00:00+00'::timestamptz`

/** Replaces `movedMark` once the other installation serves the organization, which must then never be served here again. */
export const movedForGoodMark = `'9999-01-02 00:00:00+00'::timestamptz`

/** The type of the change that ends followers in this installation, so that they connect again. */
export const organizationMovedType = 'organization.moved'

export function isMoved(member: string): string {
  return `coalesce(${member}.moving_until >= ${movedMark}, false)`
}

/** Whether the organization is being moved, or has moved. */
export function isMoving(member: string): string {
  return `coalesce(${member}.moving_until > clock_timestamp(), false)`
}

/** Whether any member is marked: the organization is being moved, or has moved. */
export function isOrganizationMoving(organizationId: string): string {
  return `exists (select from member marked where marked.organization_id = ${organizationId} and ${isMoving('marked')})`
}

/**
 * Whether jobs and deliveries may run for the organization. While an organization moves here, it has no members until its rows
 * have arrived.
 */
export function isOpenToWorkers(organizationId: string): string {
  return `exists (select from member worked where worked.organization_id = ${organizationId} and not ${isMoving('worked')})`
}

export function organizationMoveInProgress(): Overloaded {
  return new Overloaded(
    'moving',
    'This organization is being moved to another database, so nothing was changed. Try again in a moment.',
  )
}
