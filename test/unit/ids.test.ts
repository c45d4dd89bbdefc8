import { decodeTime, encodeTime } from 'ulidx'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { isUlid, newId, timeOf } from '../../src/core/ids.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

it('makes ULIDs of the present time, each greater than the one before', () => {
  let last = ''
  for (let step = 0; step < 20; step++) {
    vi.setSystemTime(new Date(`2030-01-01T00:00:0${Math.floor(step / 4)}.000Z`))
    for (let time = 0; time < 500; time++) {
      const id = newId()
      expect(isUlid(id)).toBe(true)
      expect(decodeTime(id)).toBe(Date.now())
      expect(id > last).toBe(true)
      last = id
    }
  }
})

it('goes on from the latest id when the clock goes back', () => {
  vi.setSystemTime(new Date('2031-01-01T00:00:00.000Z'))
  const before = newId()
  vi.setSystemTime(new Date('2030-06-01T00:00:00.000Z'))
  const after = newId()
  expect(after > before).toBe(true)
  expect(after.slice(0, 10)).toBe(before.slice(0, 10))
})

it('reads the time of an id', () => {
  for (const ms of [0, 1, 31, 32, 1_900_000_000_000, 2 ** 48 - 1]) {
    expect(timeOf(`${encodeTime(ms, 10)}${'Z'.repeat(16)}`)).toBe(ms)
  }
})
