import { until } from './until.ts'

/** Resolves in a later millisecond, also by the service's clock, so that later writes have a later time than earlier ones. */
export async function nextMillisecond(): Promise<void> {
  const before = Date.now()
  await until(() => Date.now() > before + 1)
}
