const numbers = new Intl.NumberFormat('en')

/** "1,000" */
export function formatNumber(value: number): string {
  return numbers.format(value)
}

/** A count. It is not exact if the server stopped counting, or if only a part of the rows was loaded. */
export type Count = { value: number; isExact: boolean }

/** The number at which the server stops counting. */
const maxCounted = 10_000

/** "312"; "more than 10,000" if the server stopped counting; "at least 37" if only a part of the rows was loaded. */
export function describeCount({ value, isExact }: Count): string {
  if (isExact) return formatNumber(value)
  return `${value < maxCounted ? 'at least' : 'more than'} ${formatNumber(value)}`
}

const compactNumbers = new Intl.NumberFormat('en', {
  notation: 'compact',
  compactDisplay: 'long',
  maximumFractionDigits: 1,
})

/** A count that is not exact, for a sentence: "312", "88,300", "1.2 million". */
export function formatRounded(value: number): string {
  return value < 1_000_000 ? formatNumber(Number(value.toPrecision(3))) : compactNumbers.format(value)
}

/** "12%". A small part is "under 1%" rather than "0%", and almost the whole is "over 99%" rather than "100%". */
export function formatShare(part: number, whole: number): string {
  if (part === 0 || whole === 0) return '0%'
  const percent = Math.round((part / whole) * 100)
  if (percent === 0) return 'under 1%'
  return percent === 100 && part < whole ? 'over 99%' : `${percent}%`
}
