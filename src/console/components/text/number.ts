const numbers = new Intl.NumberFormat('en')

/** "1,000" */
export function formatNumber(value: number): string {
  return numbers.format(value)
}

/** A count. It is not exact if the server stopped counting. */
export type Count = { value: number; isExact: boolean }

/** The server counts no further. */
const maxCounted = 10_000

/** "312", "more than 10,000" where the count stopped, or "at least 37" where only a part was read. */
export function describeCount({ value, isExact }: Count): string {
  if (isExact) return formatNumber(value)
  return `${value < maxCounted ? 'at least' : 'more than'} ${formatNumber(value)}`
}
