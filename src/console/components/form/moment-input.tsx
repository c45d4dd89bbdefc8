import { Button, Group, Input, Text } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { describeClockChange, type Expiry, fromLocalInput, toLocalInput } from './expiry.ts'
import classes from './expiry-input.module.css'

/** `choose` computes the moment when the button is clicked; `isChosen` is computed again as time passes. */
type Preset = { name: string; choose(): Expiry; isChosen: boolean }

type Props = {
  label: string
  presets: readonly Preset[]
  value: Expiry
  onChange?: ((moment: Expiry) => void) | undefined
  error?: ReactNode
  /** A sentence with the chosen time, in the person's time zone and in UTC. */
  meaning: string
}

/** Asks for a moment: one of the presets, or a date and time. */
export function MomentInput({ label, presets, value, onChange, error, meaning }: Props) {
  const id = useId()
  // The text of the native input; it is empty while a part of the date is missing.
  const [typed, setTyped] = useState<{ text: string; moment: Expiry } | null>(null)
  const text = typed && typed.moment === value ? typed.text : toLocalInput(value)
  const clockChange = describeClockChange(text, value)
  const chosen = presets.find(({ isChosen }) => isChosen)

  function type(next: string): void {
    const moment = fromLocalInput(next)
    setTyped({ text: next, moment })
    onChange?.(moment)
  }

  return (
    <Input.Wrapper label={label} error={error} labelElement="div" id={id}>
      <Group gap={4} mt={4} role="group" aria-label={`${label}: presets`}>
        {presets.map((preset) => (
          <Button
            key={preset.name}
            size="compact-sm"
            variant="default"
            className={classes.preset}
            aria-pressed={preset === chosen}
            onClick={() => onChange?.(preset.choose())}
          >
            {preset.name}
          </Button>
        ))}
      </Group>
      {value !== null && (
        <Input
          type="datetime-local"
          aria-label={`${label}: date and time`}
          // The attributes below describe the input by `meaning`, too.
          withAria={false}
          aria-invalid={Boolean(error)}
          aria-describedby={error ? `${id}-error ${id}-meaning` : `${id}-meaning`}
          max="9999-12-31T23:59"
          mt={8}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
          error={Boolean(error)}
          classNames={{ input: classes.input }}
        />
      )}
      <Text id={`${id}-meaning`} className={classes.meaning} aria-live="polite">
        {meaning}
        {clockChange && (
          <>
            <br />
            {clockChange}
          </>
        )}
      </Text>
    </Input.Wrapper>
  )
}
