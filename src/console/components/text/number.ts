const numbers = new Intl.NumberFormat('en')

/** "1,000" */
export function formatNumber(value: number): string {
  return numbers.format(value)
}

/** A count. It is not exact if the server stopped counting. */
export type Count = { value: number; isExact: boolean }

/** The server stops counting here. */
const maxCounted = 10_000

/** "312", "more than 10,000" where the count stopped, or "at least 37" where only a part was read. */
export function describeCount({ value, isExact }: Count): string {
  if (isExact) return formatNumber(value)
  return `${value < maxCounted ? 'at least' : 'more than'} ${formatNumber(value)}`
}

const millions = new Intl.NumberFormat('en', {
  notation: 'compact',
  compactDisplay: 'long',
  maximumFractionDigits: 1,
})

/** A count that is not exact, for a sentence: "312", "88,300", "1.2 million". */
export function formatRough(value: number): string {
  return value < 1_000_000 ? formatNumber(Number(value.toPrecision(3))) : millions.format(value)
}

/** "12%"; "under 1%" instead of 0%, and 100% only for all. */
export function formatShare(part: number, whole: number): string {
  if (part === 0 || whole === 0) return '0%'
  const percent = Math.round((part / whole) * 100)
  if (percent === 0) return 'under 1%'
  return percent === 100 && part < whole ? 'over 99%' : `${percent}%`
}
