import { NativeSelect, Switch, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { JsonInput } from './json-input.tsx'
import { LimitInput } from './limit-input.tsx'
import { parseValueText, type ValueShape } from './value-text.ts'

type ValueInputProps = {
  /** The feature, whose kind and value type determine the input. */
  feature: ValueShape
  label: string
  /** The value as text, as `toValueText` writes it and `parseValueText` reads it. */
  value?: string
  onChange?: (text: string) => void
  /** Why the server refused the value. If it is absent, the input checks the text itself, and shows what is wrong. */
  error?: ReactNode
  autoFocus?: boolean
}

/** One input for what a plan or an override grants: a flag, a limit or a config value. */
export function ValueInput({ feature, label, value = '', onChange, error, autoFocus }: ValueInputProps) {
  const shown = error ?? (value === '' ? undefined : findProblem(feature, value))
  const change = (event: { currentTarget: { value: string } }) => onChange?.(event.currentTarget.value)
  const common = { label, value, error: shown, onChange: change, 'data-autofocus': autoFocus || undefined }

  if (feature.kind === 'FLAG') {
    return (
      <Switch
        label={label}
        description={value === 'on' ? 'On' : 'Off'}
        checked={value === 'on'}
        onChange={(event) => onChange?.(event.currentTarget.checked ? 'on' : 'off')}
        error={error}
        data-autofocus={autoFocus || undefined}
      />
    )
  }
  if (feature.kind === 'LIMIT') {
    return <LimitInput {...common} onChange={(text) => onChange?.(text)} />
  }
  switch (feature.valueType) {
    case 'NUMBER':
      return <TextInput {...common} inputMode="decimal" autoComplete="off" />
    case 'BOOLEAN':
      return <NativeSelect {...common} data={toSelectOptions(value, ['true', 'false'])} />
    case 'ENUM':
      return <NativeSelect {...common} data={toSelectOptions(value, feature.options ?? [])} />
    case 'JSON':
      return <JsonInput {...common} around="36rem" onChange={(text) => onChange?.(text)} />
    default:
      return <TextInput {...common} autoComplete="off" />
  }
}

function findProblem(feature: ValueShape, text: string): string | undefined {
  const parsed = parseValueText(feature, text)
  return 'problem' in parsed ? parsed.problem : undefined
}

/** Adds the value to the choices if it is not one of them: without it, the list would show another choice as selected. */
function toSelectOptions(value: string, choices: readonly string[]) {
  const known = choices.map((choice) => ({ value: choice, label: choice }))
  return choices.includes(value) ? known : [{ value, label: value === '' ? 'Choose…' : value }, ...known]
}
