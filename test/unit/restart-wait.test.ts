import { expect, it } from 'vitest'
import { restartWaitMs } from '../../src/processes/restart-wait.ts'

it('a process is restarted at once the first time, and after longer and longer waits if processes keep ending', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 60].map(restartWaitMs)).toEqual([
    0, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
  ])
})
