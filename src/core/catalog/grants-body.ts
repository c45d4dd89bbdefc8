import type { Grant, Plan } from './catalog.ts'

type GrantBody = { kind: 'flag' } | { kind: 'limit'; limit: number | null } | { kind: 'config'; value: never }

/** The grants as the service expects them in the body of a plan. */
export function toGrantsBody(grants: Plan['grants']): Record<string, GrantBody> {
  return Object.fromEntries([...grants] as [string, Grant & GrantBody][])
}
