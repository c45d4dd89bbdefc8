import { Button, Group, Input, Text, TextInput } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { useNow } from '../text/use-now.ts'
import { describeExpiry, type Expiry, expiryIn, fromLocalInput, toLocalInput } from './expiry.ts'
import classes from './expiry-input.module.css'

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
  onChange?: (expiry: Expiry) => void
  error?: ReactNode
}

/** When something ends: by a preset or to the minute. A sentence shows that time here and in UTC. */
export function ExpiryInput({ label = 'Expires', presets = usualPresets, value = null, onChange, error }: Props) {
  const id = useId()
  const now = useNow()
  // The text of the native input; it is empty while a part of the date is missing.
  const [typed, setTyped] = useState<{ text: string; expiry: Expiry } | null>(null)
  const text = typed && typed.expiry === value ? typed.text : toLocalInput(value)
  const chosen = presets.find(([, days]) => isPreset(value, days, now))?.[0]

  function type(next: string): void {
    const expiry = fromLocalInput(next)
    setTyped({ text: next, expiry })
    onChange?.(expiry)
  }

  return (
    <Input.Wrapper label={label} error={error} labelElement="div" id={id}>
      <Group gap={4} mt={4} role="group" aria-label={`${label}: presets`}>
        {presets.map(([name, days]) => (
          <Button
            key={name}
            size="compact-sm"
            variant="default"
            className={classes.preset}
            aria-pressed={name === chosen}
            onClick={() => onChange?.(days === null ? null : expiryIn(days, new Date()))}
          >
            {name}
          </Button>
        ))}
      </Group>
      <TextInput
        type="datetime-local"
        aria-label={`${label}: date and time`}
        aria-describedby={`${id}-meaning`}
        max="9999-12-31T23:59"
        mt={8}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        error={Boolean(error)}
        classNames={{ input: classes.input }}
      />
      <Text id={`${id}-meaning`} className={classes.meaning} aria-live="polite">
        {describeExpiry(value, now)}
      </Text>
    </Input.Wrapper>
  )
}

/** A preset stays selected for this long while the person fills in the form. */
const staysMs = 10 * 60_000

function isPreset(value: Expiry, days: number | null, now: Date): boolean {
  if (value === null || days === null) return value === days
  const late = Date.parse(expiryIn(days, now)) - Date.parse(value)
  return Math.abs(late) < staysMs
}
