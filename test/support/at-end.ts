import { afterAll, onTestFinished, TestRunner } from 'vitest'

/**
 * Calls `run` after the current test, or after the file if called outside of a test; the last registered function runs first.
 * Without `timeoutMs`, the time limit of hooks applies.
 */
export function atEnd(run: () => void | Promise<void>, timeoutMs?: number): void {
  if (TestRunner.getCurrentTest() === undefined) afterAll(run, timeoutMs)
  else onTestFinished(async () => void (await run()), timeoutMs)
}
