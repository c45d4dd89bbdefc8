/** How many there are; not exact where the count stopped. */
export type Count = { value: number; isExact: boolean }

const numbers = new Intl.NumberFormat('en')

/** "312", or "more than 10,000". */
export function describeCount({ value, isExact }: Count): string {
  return isExact ? numbers.format(value) : `more than ${numbers.format(value)}`
}
