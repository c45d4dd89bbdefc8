import { vi } from 'vitest'

/** Resolves to the condition's result when it is truthy. Waits as long as a slow machine may need. */
export function until<T>(condition: () => T | Promise<T>) {
  return vi.waitUntil(condition, { timeout: 180_000, interval: 10 })
}
