import { Checkbox, Group, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { unlimitedText } from './value-text.ts'

type Props = {
  label: string
  value: string
  onChange(text: string): void
  error?: ReactNode
  'data-autofocus'?: true | undefined
}

/** Asks for a whole number or "unlimited". If "Unlimited" is unchecked again, the former number is restored. */
export function LimitInput({ label, value, onChange, error, ...rest }: Props) {
  const [number, setNumber] = useState('')
  const isUnlimited = value === unlimitedText || value === '∞'

  function choose(wantsUnlimited: boolean): void {
    if (wantsUnlimited) setNumber(value)
    onChange(wantsUnlimited ? unlimitedText : number)
  }

  return (
    <Group align="flex-start" gap="md" wrap="nowrap">
      <TextInput
        label={label}
        value={isUnlimited ? '' : value}
        placeholder={isUnlimited ? '∞' : undefined}
        disabled={isUnlimited}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        inputMode="numeric"
        autoComplete="off"
        flex={1}
        {...rest}
      />
      <Checkbox
        label="Unlimited"
        checked={isUnlimited}
        onChange={(event) => choose(event.currentTarget.checked)}
        mt={32}
      />
    </Group>
  )
}
