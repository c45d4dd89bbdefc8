import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { restartWaitMs } from '../../src/processes/restart-wait.ts'
import { inherited } from '../support/inherited.ts'

it('a primary asks each of its processes for a JSON answer', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['test/support/asking-primary.ts'], { env: inherited })
  const { url, pids, unknown } = JSON.parse(stdout)

  expect({ url, unknown }).toEqual({ url: 'http://here', unknown: [] })
  expect(pids).toEqual([expect.any(Number), expect.any(Number)])
  expect(pids[0]).not.toBe(pids[1])
})

it('a process is started again at once, and those that keep ending ever more slowly', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 60].map(restartWaitMs)).toEqual([
    0, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
  ])
})
