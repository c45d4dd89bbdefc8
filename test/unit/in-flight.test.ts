import { describe, expect, it } from 'vitest'
import { InFlight } from '../../worker/in-flight.ts'

/** Starts this many attempts, which end when the returned function is called. */
function start(inFlight: InFlight, count: number): () => Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const running = Array.from({ length: count }, () => inFlight.run(() => promise))
  return () => {
    resolve()
    return Promise.all(running)
  }
}

describe('the attempts in flight of all organizations', () => {
  it('are shared equally by the organizations that have events', () => {
    const inFlight = new InFlight(32)
    expect(inFlight.hasFreeSlot(31, 32)).toBe(true)
    expect(inFlight.hasFreeSlot(32, 32)).toBe(false)
    expect(inFlight.hasFreeSlot(1, 1000)).toBe(true)
    expect(inFlight.hasFreeSlot(2, 1000)).toBe(false)
  })

  it('are limited to 1,024, beyond which each organization may still have one', async () => {
    const inFlight = new InFlight(32)
    const end = start(inFlight, 1024)
    expect(inFlight.hasFreeSlot(1, 2)).toBe(false)
    expect(inFlight.hasFreeSlot(0, 2)).toBe(true)

    await end()

    expect(inFlight.hasFreeSlot(1, 2)).toBe(true)
  })

  it('count until they end, whether they succeed or fail', async () => {
    const inFlight = new InFlight(32)
    const end = start(inFlight, 1023)
    await expect(inFlight.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    expect(inFlight.hasFreeSlot(1, 2)).toBe(true)
    await end()
  })
})
