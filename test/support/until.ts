import { vi } from 'vitest'

/** Resolves to the condition's result when it is truthy. Waits as long as a slow machine may need. */
export function until<T>(condition: () => T | Promise<T>, timeoutMs = 60_000) {
  return vi.waitUntil(condition, { timeout: timeoutMs, interval: 10 })
}
