import { until } from './until.ts'

/** Resolves in a later millisecond, also by the service's clock, so that what happens next has a later time than what did. */
export async function nextMillisecond(): Promise<void> {
  const before = Date.now()
  await until(() => Date.now() > before + 1)
}
