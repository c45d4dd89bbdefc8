import { useRef, useState } from 'react'
import { toastDone } from '../../../components/feedback/toast.tsx'
import type { Value } from '../../../components/text/value.ts'
import type { Feature, Plan } from '../plan.ts'
import { parseCellText, toCellText } from './cell-text.ts'
import type { Position } from './positions.ts'

export type Cells = {
  features: readonly Feature[]
  plans: readonly Plan[]
  mayWrite: boolean
  valueAt(feature: Feature, plan: Plan): Value | null
  change(feature: Feature, plan: Plan, value: Value | null): void
}

type Editing = { at: Position; text: string; selects: boolean; before: Value | null }

/** The one cell that is edited. What is typed is the cell's value as soon as it is one. */
export function useCellEditing({ features, plans, mayWrite, valueAt, change }: Cells) {
  const [editing, setEditing] = useState<Editing | null>(null)
  /** JSON of many lines that was left while it was wrong, by cell. */
  const unfinished = useRef(new Map<string, string>())

  function cellAt({ row, column }: Position): { feature: Feature; plan: Plan } | null {
    const [feature, plan] = [features[row], plans[column]]
    return mayWrite && feature && plan ? { feature, plan } : null
  }

  function set(at: Position, value: Value | null): void {
    const cell = cellAt(at)
    if (cell) change(cell.feature, cell.plan, value)
  }

  function write(at: Position, text: string): void {
    const cell = cellAt(at)
    const parsed = cell && parseCellText(cell.feature, text)
    if (parsed && 'value' in parsed) set(at, parsed.value)
  }

  return {
    editing,
    set,
    /** Opens the cell; `typed` replaces its text. False for a flag, which is switched instead. */
    open(at: Position, typed?: string): boolean {
      const cell = cellAt(at)
      if (!cell || cell.feature.kind === 'FLAG') return false
      const before = valueAt(cell.feature, cell.plan)
      const left = unfinished.current.get(nameOf(cell))
      const text = typed ?? left ?? toCellText(cell.feature, before)
      setEditing({ at, text, selects: typed === undefined && left === undefined, before })
      unfinished.current.delete(nameOf(cell))
      if (typed !== undefined) write(at, typed)
      return true
    },
    toggle(at: Position): void {
      const cell = cellAt(at)
      if (cell) set(at, valueAt(cell.feature, cell.plan) ? null : { kind: 'FLAG', allowed: true })
    },
    type(text: string): void {
      if (!editing) return
      setEditing({ ...editing, text, selects: false })
      write(editing.at, text)
    },
    close: () => setEditing(null),
    /** Leaves the cell; what is no value does not count. */
    leave(): void {
      const cell = editing && cellAt(editing.at)
      if (cell && 'problem' in parseCellText(cell.feature, editing.text)) {
        set(editing.at, editing.before)
        if (cell.feature.valueType === 'JSON') {
          unfinished.current.set(nameOf(cell), editing.text)
          toastDone(`${cell.feature.name} on ${cell.plan.name} stays as it was. Open the cell to go on with your text.`)
        }
      }
      setEditing(null)
    },
    cancel(): void {
      if (editing) set(editing.at, editing.before)
      setEditing(null)
    },
  }
}

function nameOf({ feature, plan }: { feature: Feature; plan: Plan }): string {
  return `${feature.key} ${plan.key}`
}
