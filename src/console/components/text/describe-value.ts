import { formatNumber } from './number.ts'
import { shortenMiddle } from './shorten.ts'
import type { Value } from './value.ts'

/** A value within a sentence: "on", "1,000", "unlimited", "eu-west". */
export function describeValue(value: Value): string {
  switch (value.kind) {
    case 'FLAG':
      return value.allowed ? 'on' : 'off'
    case 'LIMIT':
      return value.limit === null ? 'unlimited' : formatNumber(value.limit)
    case 'CONFIG':
      return describeConfig(value.value)
  }
}

/** Like `describeValue`, but puts a text in “English” quotation marks, for prose. */
export function describeInProse(value: Value): string {
  const text = describeValue(value)
  return value.kind === 'CONFIG' ? text.replace(/^"(.*)"$/s, '“$1”') : text
}

export function describeConfig(value: unknown): string {
  if (Array.isArray(value)) return `[…] ${value.length} ${value.length === 1 ? 'item' : 'items'}`
  if (typeof value === 'object' && value !== null) {
    const count = Object.keys(value).length
    return `{…} ${count} ${count === 1 ? 'key' : 'keys'}`
  }
  return typeof value === 'string' ? shortenMiddle(JSON.stringify(value), 40) : String(value)
}
