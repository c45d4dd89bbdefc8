import type { Override } from '../overrides/override-row.ts'

type Grant = { limit: number | null; value: unknown }

/** Whether a check would answer the same without the override, from the plan's grant or from nothing. */
export function repeats({ kind, allowed, limit, value }: Override, grant: Grant | null): boolean {
  switch (kind) {
    case 'FLAG':
      return allowed === (grant !== null)
    case 'LIMIT':
      return grant ? limit === grant.limit : limit === 0
    case 'CONFIG':
      return grant !== null && isSameJson(value, grant.value)
  }
}

/** Without regard to the order of keys. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [keys, otherKeys] = [Object.keys(one), Object.keys(other)]
  return (
    keys.length === otherKeys.length &&
    keys.every(
      (key) => Object.hasOwn(other, key) && isSameJson(one[key as keyof typeof one], other[key as keyof typeof other]),
    )
  )
}
