import type { ReactNode } from 'react'
import { useNow } from '../text/use-now.ts'
import { describeExpiry, type Expiry, expiryIn } from './expiry.ts'
import { MomentInput } from './moment-input.tsx'

type Preset = readonly [label: string, days: number | null]

const usualPresets: readonly Preset[] = [
  ['1 day', 1],
  ['7 days', 7],
  ['14 days', 14],
  ['30 days', 30],
  ['Never', null],
]

type Props = {
  label?: string
  presets?: readonly Preset[]
  value?: Expiry
  /** The time from which a preset counts its days; null means now. */
  from?: Expiry
  onChange?: (expiry: Expiry) => void
  error?: ReactNode
}

/** Asks when something ends. */
export function ExpiryInput({ label = 'Expires', presets = usualPresets, value = null, from, onChange, error }: Props) {
  const now = useNow()
  const choices = presets.map(([name, days]) => ({
    name,
    choose: () => (days === null ? null : expiryIn(days, from ? new Date(from) : new Date())),
    isChosen: isPreset(value, days, from ? new Date(from) : now),
  }))
  const shared = { label, value, onChange, error }
  return <MomentInput {...shared} presets={choices} meaning={describeExpiry(value, now)} />
}

/** A preset stays selected for this long while the person fills in the form. */
const presetToleranceMs = 10 * 60_000

function isPreset(value: Expiry, days: number | null, from: Date): boolean {
  if (value === null || days === null) return value === days
  const differenceMs = Date.parse(expiryIn(days, from)) - Date.parse(value)
  return Math.abs(differenceMs) < presetToleranceMs
}
