import { Button, Text } from '@mantine/core'
import { type FocusEvent, type KeyboardEvent, type MouseEvent, useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { unlimitedText } from '../../../components/form/value-text.ts'
import type { Feature } from '../plan.ts'
import { CellInput, type EditorElement } from './cell-input.tsx'
import { hintOf, parseCellText } from './cell-text.ts'
import classes from './matrix.module.css'
import type { Step } from './positions.ts'

/** The id of the element above the matrix that shows the hint. */
export const hintElementId = 'cell-hint'

export type EditorProps = {
  feature: Feature
  planName: string
  text: string
  /** Whether the text is selected, so that typing replaces it. */
  selects: boolean
  onChange(text: string): void
  /** Ends the edit with the text as the cell's value. */
  onDone(step: Step): void
  /** Ends the edit and restores the cell. */
  onCancel(): void
  /** Called when the focus has moved elsewhere. */
  onLeave(): void
}

/** The matrix's only input, which replaces the edited cell. A hint above the matrix says what may be typed. */
export function CellEditor({ feature, planName, text, selects, onChange, onDone, onCancel, onLeave }: EditorProps) {
  const input = useRef<EditorElement>(null)
  const hint = useRef<HTMLDivElement>(null)
  const hintId = useId()
  const hintElement = document.getElementById(hintElementId)
  const parsed = parseCellText(feature, text)
  const problem = 'problem' in parsed ? parsed.problem : null
  useEffect(() => enterInput(input.current, selects), [selects])

  function onKeyDown(event: KeyboardEvent): void {
    // The grid's own keys are for cells that are not being edited.
    event.stopPropagation()
    const step = stepOf(event)
    if (event.key === 'Escape') onCancel()
    else if (step && !problem) onDone(step)
    else if (!step) return
    event.preventDefault()
  }

  function onBlur({ relatedTarget }: FocusEvent): void {
    if (!hint.current?.contains(relatedTarget)) onLeave()
  }

  function choose(chosen: string): void {
    onChange(chosen)
    onDone('stay')
  }

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys and the focus are those of the input inside. */}
      <span className={classes.editor} onKeyDown={onKeyDown} onBlur={onBlur}>
        <CellInput
          ref={input}
          feature={feature}
          label={`${feature.name} on ${planName}`}
          text={text}
          isInvalid={problem !== null}
          hintId={hintId}
          onChange={onChange}
        />
      </span>
      {hintElement &&
        createPortal(
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs, and these are buttons.
          <div ref={hint} className={classes.hint} role="group" aria-label="Allowed values" onMouseDown={keepFocus}>
            <CellHint id={hintId} feature={feature} problem={problem} onChoose={choose} />
          </div>,
          hintElement,
        )}
    </>
  )
}

/** A click on a hint must leave the focus in the input. */
function keepFocus(event: MouseEvent): void {
  event.preventDefault()
}

function enterInput(element: EditorElement | null, selects: boolean): void {
  element?.focus()
  if (element instanceof HTMLSelectElement) openChoices(element)
  else if (selects) element?.select()
}

/** Opens the list at once, which browsers allow only after a click or a key press. */
function openChoices(element: HTMLSelectElement): void {
  try {
    element.showPicker()
  } catch {
    // The list has the focus, so the person can open it.
  }
}

function stepOf({ key, shiftKey }: KeyboardEvent): Step | null {
  if (key === 'Tab') return shiftKey ? 'left' : 'right'
  if (key !== 'Enter') return null
  return shiftKey ? 'up' : 'down'
}

type CellHintProps = { id: string; feature: Feature; problem: string | null; onChoose(text: string): void }

/** A hint on what may be typed or what is wrong, with buttons for text that is hard to type on a phone. */
function CellHint({ id, feature, problem, onChoose }: CellHintProps) {
  return (
    <>
      <Text id={id} className={classes.hintText} c={problem ? 'var(--text-bad)' : 'dimmed'} role="status">
        {problem ?? hintOf(feature)}
      </Text>
      <span className={classes.hintButtons}>
        {feature.kind === 'LIMIT' && (
          <Button size="compact-xs" variant="default" tabIndex={-1} onClick={() => onChoose(unlimitedText)}>
            ∞ unlimited
          </Button>
        )}
        <Button size="compact-xs" variant="default" tabIndex={-1} onClick={() => onChoose('')}>
          Not granted
        </Button>
      </span>
    </>
  )
}
