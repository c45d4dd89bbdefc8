import { inspect } from 'node:util'
import { inject, vi } from 'vitest'

/** Resolves to the condition's result when it is truthy. Fails with its last result. */
export async function until<T>(condition: () => T | Promise<T>) {
  let last: T | undefined
  const look = async () => {
    last = await condition()
    return last
  }
  try {
    return await vi.waitUntil(look, { timeout: inject('waitMs'), interval: 10 })
  } catch (cause) {
    throw new Error(`Waited for ${condition}, and saw last: ${inspect(last)}`, { cause })
  }
}
