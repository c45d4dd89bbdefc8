import { type Count, describeCount, formatNumber } from '../../components/text/number.ts'

/** "1 subscriber", "more than 10,000 subscribers" */
export function describeSubscribers(count: Count): string {
  return `${describeCount(count)} ${count.isExact && count.value === 1 ? 'subscriber' : 'subscribers'}`
}

export function sumOf(counts: readonly Count[]): Count {
  return {
    value: counts.reduce((sum, { value }) => sum + value, 0),
    isExact: counts.every(({ isExact }) => isExact),
  }
}

/** "free", "free and pro", "free, pro and team" */
export function joinNames(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' and ')
}

/** "1 change", "3 changes" */
export function plural(count: number, noun: string): string {
  return `${formatNumber(count)} ${count === 1 ? noun : `${noun}s`}`
}
