import type { ChangeEvent, Ref } from 'react'
import type { Feature } from '../plan.ts'
import classes from './matrix.module.css'

export type EditorElement = HTMLInputElement | HTMLSelectElement

type Props = {
  ref: Ref<EditorElement>
  feature: Feature
  label: string
  text: string
  isInvalid: boolean
  hintId: string
  onChange(text: string): void
}

/** An input without decoration: a text field or a list of choices. */
export function CellInput({ ref, feature, label, text, isInvalid, hintId, onChange }: Props) {
  const common = {
    'aria-label': label,
    'aria-invalid': isInvalid,
    'aria-describedby': hintId,
    value: text,
    onChange: (event: ChangeEvent<EditorElement>) => onChange(event.currentTarget.value),
  }
  const choices = choicesOf(feature)
  if (choices) {
    return (
      <select ref={ref as Ref<HTMLSelectElement>} className={classes.input} {...common}>
        <option value="">not granted</option>
        {withCurrent(choices, text).map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    )
  }
  return (
    <input
      ref={ref as Ref<HTMLInputElement>}
      className={classes.input}
      inputMode={feature.kind === 'LIMIT' ? 'numeric' : undefined}
      autoComplete="off"
      spellCheck={false}
      {...common}
    />
  )
}

function choicesOf({ valueType, options }: Feature): readonly string[] | null {
  if (valueType === 'BOOLEAN') return ['true', 'false']
  return valueType === 'ENUM' ? (options ?? []) : null
}

/** Keeps the current value among the choices, even if a colleague has removed the option. */
function withCurrent(choices: readonly string[], text: string): readonly string[] {
  return text === '' || choices.includes(text) ? choices : [text, ...choices]
}
