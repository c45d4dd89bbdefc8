import { afterAll, expect, onTestFinished } from 'vitest'

/** Runs this after the current test, or after the file outside of one; the last registered runs first. */
export function atEnd(run: () => void | Promise<void>): void {
  if (expect.getState().currentTestName === undefined) afterAll(run)
  else onTestFinished(async () => void (await run()))
}
