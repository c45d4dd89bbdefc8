import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { inheritedEnv } from '../support/inherited-env.ts'
import { limitOf } from '../support/limit-of.ts'

it('a primary queries its processes, keeps their last answers, and loses no connection of a killed process', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['test/processes/asking-primary.ts'], {
    env: inheritedEnv,
    timeout: limitOf(100_000),
  })
  const { firstAnswers, killed, servedBy, ended } = JSON.parse(stdout)

  const other = firstAnswers[1].pid
  expect(firstAnswers).toEqual([
    { pid: killed, times: 1 },
    { pid: expect.any(Number), times: 1 },
  ])
  expect(servedBy).toHaveLength(4)
  expect(servedBy).not.toContain(killed)
  expect(ended[0]).toEqual({ pid: killed, times: 1 })
  // When a process ends gracefully, it answers once more.
  expect(ended).toContainEqual({ pid: other, times: 2 })
})
