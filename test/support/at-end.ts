import { afterAll, expect, onTestFinished } from 'vitest'

/** Runs this after the test that is running, or after the file when none is; what was begun last ends first. */
export function atEnd(run: () => void | Promise<void>): void {
  if (expect.getState().currentTestName === undefined) afterAll(run)
  else onTestFinished(async () => void (await run()))
}
