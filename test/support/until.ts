import { setTimeout as wait } from 'node:timers/promises'
import { inspect } from 'node:util'
import { inject } from 'vitest'

type Truthy<T> = Exclude<T, false | null | undefined | 0 | ''>

/**
 * Resolves to the condition's result when it is truthy. Fails with its last result. Checks less often the longer it waits,
 * because a check may cost as much as a request.
 */
export async function until<T>(condition: () => T | Promise<T>): Promise<Truthy<T>> {
  let last: T | undefined
  const ended = new AbortController()
  async function check(): Promise<Truthy<T>> {
    const begunAt = performance.now()
    while (!ended.signal.aborted) {
      last = await condition()
      if (last) return last as Truthy<T>
      await wait(Math.min(100, 10 + (performance.now() - begunAt) / 20))
    }
    throw ended.signal.reason
  }
  const late = wait(inject('waitMs'), undefined, { signal: ended.signal }).then(() => {
    throw new Error('This took too long.')
  })
  try {
    return await Promise.race([check(), late])
  } catch (cause) {
    throw new Error(`Waited for ${condition}, and saw last: ${inspect(last)}`, { cause })
  } finally {
    ended.abort()
  }
}
