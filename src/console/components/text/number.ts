const numbers = new Intl.NumberFormat('en')

/** "1,000" */
export function formatNumber(value: number): string {
  return numbers.format(value)
}
