import { type KeyboardEvent, type MouseEvent, useLayoutEffect, useRef, useState } from 'react'
import type { Value } from '../../../components/text/value.ts'
import type { Feature, Plan } from '../plan.ts'
import { parseCellText, toCellText } from './cell-text.ts'
import { type Position, readPosition, type Step, stepBy, stepOfKey } from './positions.ts'

type Options = {
  features: readonly Feature[]
  plans: readonly Plan[]
  mayWrite: boolean
  valueAt(feature: Feature, plan: Plan): Value | null
  change(feature: Feature, plan: Plan, value: Value | null): void
  /** Draws the row, if it is not drawn because it is out of sight. */
  reveal(row: number): void
}

type Editing = { text: string; selects: boolean; before: Value | null }

/** Where the keyboard stands in the matrix, and the cell that is edited: one at a time. */
export function useGrid({ features, plans, mayWrite, valueAt, change, reveal }: Options) {
  const box = useRef<HTMLDivElement>(null)
  const wantsFocus = useRef(false)
  const [position, setPosition] = useState<Position>({ row: 0, column: 0 })
  const [editing, setEditing] = useState<Editing | null>(null)
  const size = { rows: features.length, columns: plans.length }
  const active = { row: Math.min(position.row, size.rows - 1), column: Math.min(position.column, size.columns - 1) }
  const feature = features[active.row]
  const plan = plans[active.column]

  // After every drawing: the row may have been drawn only now.
  useLayoutEffect(() => {
    if (!wantsFocus.current) return
    const cell = box.current?.querySelector<HTMLElement>(`[data-cell="${active.row}:${active.column}"]`)
    if (!cell) return
    wantsFocus.current = false
    const target = cell.querySelector<HTMLElement>('input, select, textarea, a') ?? cell
    target.focus()
  })

  function moveTo(next: Position): void {
    wantsFocus.current = true
    setEditing(null)
    setPosition(next)
    reveal(next.row)
  }

  function edit({ row, column }: Position, typed?: string): boolean {
    const [rowFeature, columnPlan] = [features[row], plans[column]]
    if (!mayWrite || !rowFeature || !columnPlan || rowFeature.kind === 'FLAG') return false
    const before = valueAt(rowFeature, columnPlan)
    setPosition({ row, column })
    setEditing({ text: typed ?? toCellText(rowFeature, before), selects: typed === undefined, before })
    if (typed !== undefined) write(rowFeature, columnPlan, typed)
    return true
  }

  function write(ofFeature: Feature, onPlan: Plan, text: string): void {
    const parsed = parseCellText(ofFeature, text)
    if ('value' in parsed) change(ofFeature, onPlan, parsed.value)
  }

  function toggle({ row, column }: Position): void {
    const [rowFeature, columnPlan] = [features[row], plans[column]]
    if (!mayWrite || !rowFeature || !columnPlan) return
    change(rowFeature, columnPlan, valueAt(rowFeature, columnPlan) ? null : { kind: 'FLAG', allowed: true })
  }

  function onClick(event: MouseEvent): void {
    const at = readPosition(event.target)
    if (!at || at.row < 0 || at.column < 0) return
    const isEdited = editing !== null && at.row === active.row && at.column === active.column
    if (isEdited) return
    if (edit(at)) return
    moveTo(at)
    if (features[at.row]?.kind === 'FLAG') toggle(at)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const at = readPosition(event.target)
    if (!at) return
    const isCell = at.row >= 0 && at.column >= 0
    const atFeature = features[at.row]
    const next = stepOfKey(event, at, size)
    if (next) moveTo(next)
    else if (!isCell || !mayWrite || event.altKey || event.metaKey || event.ctrlKey) return
    else if (event.key === 'Delete' || event.key === 'Backspace') changeAt(at, null)
    else if (atFeature?.kind === 'FLAG') {
      if (event.key !== ' ' && event.key !== 'Enter') return
      toggle(at)
    } else if (event.key === 'Enter' || event.key === 'F2' || event.key === ' ') edit(at)
    else if (event.key.length === 1) edit(at, event.key)
    else return
    event.preventDefault()
  }

  function changeAt({ row, column }: Position, value: Value | null): void {
    const [rowFeature, columnPlan] = [features[row], plans[column]]
    if (rowFeature && columnPlan) change(rowFeature, columnPlan, value)
  }

  /** Goes on to the next cell; with Tab it is edited too. Beyond the last one Tab leaves the matrix. */
  function done(step: Step): void {
    const next = stepBy(active, step, size)
    const isOther = next.row !== active.row || next.column !== active.column
    moveTo(next)
    if (isOther && (step === 'left' || step === 'right')) edit(next)
  }

  return {
    box,
    active,
    editing,
    onClick,
    onKeyDown,
    editor: {
      onChange(text: string) {
        setEditing((old) => old && { ...old, text, selects: false })
        if (feature && plan) write(feature, plan, text)
      },
      onDone: done,
      onCancel() {
        if (editing) changeAt(active, editing.before)
        moveTo(active)
      },
      onLeave() {
        // What is no value is not kept.
        if (editing && feature && 'problem' in parseCellText(feature, editing.text)) changeAt(active, editing.before)
        setEditing(null)
      },
    },
  }
}
