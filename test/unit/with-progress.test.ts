import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { withProgress } from '../../src/cli/with-progress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Runs a command of 35 s that shows how many seconds it has taken, and returns what is printed. */
async function printedOn(isTerminal: boolean): Promise<[string, boolean][]> {
  const printed: [string, boolean][] = []
  const running = withProgress(
    async (show) => {
      for (let second = 1; second <= 35; second++) {
        show(`step ${second}`)
        await new Promise((resolve) => setTimeout(resolve, 1000))
      }
    },
    { isTerminal, print: (text, { isLast }) => void printed.push([text, isLast]) },
  )
  await vi.advanceTimersByTimeAsync(36_000)
  await running
  return printed
}

it('a long command prints a line every ten seconds if its output is not a terminal', async () => {
  expect(await printedOn(false)).toEqual([
    [expect.stringMatching(/^step 1\d \(10 s\)$/), false],
    [expect.stringMatching(/^step 2\d \(20 s\)$/), false],
    [expect.stringMatching(/^step 3\d \(30 s\)$/), false],
  ])
})

it('a long command rewrites one line on a terminal, and completes the line when it ends', async () => {
  const printed = await printedOn(true)

  expect(printed.length).toBeGreaterThan(100)
  expect(printed.at(-1)).toEqual(['step 35 (35 s)', true])
  expect(printed.filter(([, isLast]) => isLast)).toHaveLength(1)
})

it('a short command prints no progress', async () => {
  const printed: string[] = []
  const use = async (show: (text: string) => void) => show('done')
  await withProgress(use, { isTerminal: false, print: (text) => void printed.push(text) })

  expect(printed).toEqual([])
})
