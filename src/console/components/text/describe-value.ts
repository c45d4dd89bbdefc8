import { describeConfig } from './entitlement-value.tsx'
import { formatNumber } from './number.ts'
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
