import type { ReactNode } from 'react'
import { useNow } from '../text/use-now.ts'
import { describeStart, type Expiry, nextMorning } from './expiry.ts'
import { MomentInput } from './moment-input.tsx'

const monday = 1

type Props = { value?: Expiry; onChange?: (start: Expiry) => void; error?: ReactNode }

/** Asks when something starts; null means now. */
export function StartInput({ value = null, onChange, error }: Props) {
  const now = useNow()
  const mornings = [
    { name: 'Tomorrow 9:00', at: nextMorning('tomorrow', now) },
    { name: 'Monday 9:00', at: nextMorning(monday, now) },
  ]
  const presets = [
    { name: 'Now', choose: () => null, isChosen: value === null },
    ...mornings.map(({ name, at }) => ({ name, choose: () => at, isChosen: value === at })),
  ]
  const shared = { label: 'Starts', value, onChange, error }
  return <MomentInput {...shared} presets={presets} meaning={describeStart(value, now)} />
}
