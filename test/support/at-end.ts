import { afterAll, onTestFinished } from 'vitest'
import { getCurrentTest } from 'vitest/suite'

/** Runs this after the current test, or after the file if called outside of a test; the last registered runs first. */
export function atEnd(run: () => void | Promise<void>): void {
  if (getCurrentTest() === undefined) afterAll(run)
  else onTestFinished(async () => void (await run()))
}
