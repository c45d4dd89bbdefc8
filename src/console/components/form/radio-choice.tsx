import { Input, Radio, Stack } from '@mantine/core'
import { type ReactNode, useId } from 'react'

type Choice<Value> = { value: Value; label: ReactNode; description: ReactNode }

type Props<Value> = {
  label: string
  /** Whether the label is only for screen readers. */
  isLabelHidden?: boolean
  description?: string
  choices: readonly Choice<Value>[]
  value?: Value
  onChange?: ((value: Value) => void) | undefined
  error?: ReactNode
}

/** Asks for one of a few values. Mantine's own group does not tell screen readers that it is invalid. */
export function RadioChoice<Value extends string>(props: Props<Value>) {
  const { label, isLabelHidden = false, description, choices, value, onChange, error } = props
  const id = useId()
  const describedBy = [description && `${id}-description`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <Input.Wrapper
      label={isLabelHidden ? undefined : label}
      description={description}
      error={error}
      labelElement="div"
      id={id}
    >
      <Stack
        role="radiogroup"
        aria-label={label}
        aria-invalid={Boolean(error)}
        aria-describedby={describedBy || undefined}
        gap="xs"
        mt={isLabelHidden ? 0 : 'xs'}
        mb={error ? 6 : 0}
      >
        {choices.map((choice) => (
          <Radio
            key={choice.value}
            name={id}
            {...choice}
            checked={choice.value === value}
            onChange={() => onChange?.(choice.value)}
          />
        ))}
      </Stack>
    </Input.Wrapper>
  )
}
