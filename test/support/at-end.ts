import { afterAll, onTestFinished, TestRunner } from 'vitest'

/**
 * Runs this after the current test, or after the file if called outside of a test; the last registered runs first. Without
 * a time limit of its own it has the hooks'.
 */
export function atEnd(run: () => void | Promise<void>, timeoutMs?: number): void {
  if (TestRunner.getCurrentTest() === undefined) afterAll(run, timeoutMs)
  else onTestFinished(async () => void (await run()), timeoutMs)
}
