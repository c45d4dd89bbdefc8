import { formatNumber } from './number.ts'

/** How many there are. It is not exact if the server stopped counting. */
export type Count = { value: number; isExact: boolean }

/** "312", or "at least 10,000". */
export function describeCount({ value, isExact }: Count): string {
  return isExact ? formatNumber(value) : `at least ${formatNumber(value)}`
}
