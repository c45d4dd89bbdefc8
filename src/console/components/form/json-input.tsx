import { Button, Group, Textarea } from '@mantine/core'
import { type CSSProperties, type ReactNode, useRef } from 'react'
import classes from './json-input.module.css'
import { findJsonProblem } from './json-problem.ts'

type Props = {
  label: string
  value: string
  error: ReactNode
  onChange(text: string): void
  /** The height of everything around the editor in its drawer; the editor gets the remaining height. */
  around: string
  'data-autofocus'?: true | undefined
}

/** An editor for JSON that fills its drawer. Its buttons go to the line of an error and indent the text. */
export function JsonInput({ label, value, error, onChange, around, ...rest }: Props) {
  const input = useRef<HTMLTextAreaElement>(null)
  const problem = value.trim() === '' ? null : findJsonProblem(value)
  const indented = problem || value.trim() === '' ? value : JSON.stringify(JSON.parse(value), null, 2)

  function showProblem(at: number): void {
    input.current?.focus()
    input.current?.setSelectionRange(at, at + 1)
  }

  return (
    <div style={{ '--around': around } as CSSProperties}>
      <Textarea
        ref={input}
        label={label}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
        spellCheck={false}
        autoComplete="off"
        classNames={{ input: classes.input }}
        {...rest}
      />
      <Group gap="xs" mt={6} mb="sm">
        <Button size="compact-sm" variant="default" disabled={indented === value} onClick={() => onChange(indented)}>
          Format
        </Button>
        {problem && (
          <Button size="compact-sm" variant="default" onClick={() => showProblem(problem.at)}>
            Go to line {problem.line}
          </Button>
        )}
      </Group>
    </div>
  )
}
