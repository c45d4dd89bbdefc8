import { conflict } from '../core/errors.ts'
import { note } from '../core/field-type.ts'
import { timestamp } from '../core/fields.ts'

/** The field for the `updated_at` that the caller read, so that a write does not undo someone else's later change. */
export function expectedUpdatedAt(resource: string) {
  return note(timestamp().optional().describe(`the ${resource}'s updated_at as you read it`), {
    meaning: `CONFLICT if the ${resource} has changed since you read it.`,
  })
}

/** Throws 409 if the object has changed since the caller read it. Without `expected`, any version may be changed. */
export function assertUnchanged(
  resource: string,
  current: { updatedAt: Date } | null,
  expected: Date | null | undefined,
): void {
  const updatedAt = current?.updatedAt ?? null
  if (expected === undefined || expected?.getTime() === updatedAt?.getTime()) return
  throw conflict(
    { field: 'updated_at', value: updatedAt?.toISOString() ?? null },
    `The ${resource} has changed since you read it. Read it again, then repeat your change.`,
  )
}
