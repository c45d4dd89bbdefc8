import { afterEach, describe, expect, it, vi } from 'vitest'
import { startTimeOf } from '../../src/database/embedded/processes.ts'

describe('the start time of a process, on a system other than Linux', () => {
  const { platform } = process
  afterEach(() => {
    Object.defineProperty(process, 'platform', { value: platform })
    vi.unstubAllEnvs()
  })

  it('is the same text in every time zone and language', () => {
    Object.defineProperty(process, 'platform', { value: 'darwin' })
    const startTimeIn = (TZ: string) => {
      vi.stubEnv('TZ', TZ)
      return startTimeOf(process.pid)
    }

    const startTime = startTimeIn('UTC')

    expect(startTime).toMatch(/ \d\d:\d\d:\d\d \d{4}$/)
    expect(startTimeIn('Asia/Tokyo')).toBe(startTime)
  })
})
