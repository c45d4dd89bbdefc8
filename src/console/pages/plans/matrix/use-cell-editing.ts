import { useState } from 'react'
import { toastDone } from '../../../components/feedback/toast.tsx'
import type { Value } from '../../../components/text/value.ts'
import type { InvalidCells } from '../draft/invalid-cells.ts'
import type { Feature, Plan } from '../plan.ts'
import { parseCellText, toCellText } from './cell-text.ts'
import type { Position } from './positions.ts'

export type Cells = {
  features: readonly Feature[]
  plans: readonly Plan[]
  mayWrite: boolean
  valueAt(feature: Feature, plan: Plan): Value | null
  change(feature: Feature, plan: Plan, value: Value | null): void
  unfinished: InvalidCells
  /** Stores the invalid text of a cell, or removes it if `text` is null. */
  keep(cell: Cell, text: string | null): void
}

export type Cell = { feature: Feature; plan: Plan }

/**
 * The edited cell. Keys identify it, not its position, because a colleague may add, move or remove features and plans
 * meanwhile.
 */
type Editing = { feature: string; plan: string; text: string; selects: boolean; before: Value | null }

/** The one cell being edited. A typed text becomes the cell's value as soon as it is valid. */
export function useCellEditing({ features, plans, mayWrite, valueAt, change, unfinished, keep }: Cells) {
  const [opened, setEditing] = useState<Editing | null>(null)
  const at = opened && findCell(opened, { features, plans })
  const editing = opened && at && { ...opened, at }

  function cellAt({ row, column }: Position): Cell | null {
    const [feature, plan] = [features[row], plans[column]]
    return mayWrite && feature && plan ? { feature, plan } : null
  }

  function set(at: Position, value: Value | null): void {
    const cell = cellAt(at)
    if (!cell) return
    keep(cell, null)
    change(cell.feature, cell.plan, value)
  }

  /**
   * Sets the typed value. An invalid text is stored at once, so that a reload does not lose it, and the cell gets back its
   * value from before the edit.
   */
  function write(at: Position, text: string, before: Value | null): void {
    const cell = cellAt(at)
    const parsed = cell && parseCellText(cell.feature, text)
    if (!parsed) return
    set(at, 'value' in parsed ? parsed.value : before)
    if ('problem' in parsed) keep(cell, text)
  }

  return {
    editing,
    set,
    /** Opens the cell; `typed` replaces its text. False for a flag, which is switched instead. */
    open(at: Position, typed?: string): boolean {
      const cell = cellAt(at)
      if (!cell || cell.feature.kind === 'FLAG') return false
      const before = valueAt(cell.feature, cell.plan)
      const left = unfinished.get(cell.feature.key)?.get(cell.plan.key)
      const text = typed ?? left ?? toCellText(cell.feature, before)
      const selects = typed === undefined && left === undefined
      setEditing({ feature: cell.feature.key, plan: cell.plan.key, text, selects, before })
      if (typed !== undefined) write(at, typed, before)
      return true
    },
    toggle(at: Position): void {
      const cell = cellAt(at)
      if (cell) set(at, valueAt(cell.feature, cell.plan) ? null : { kind: 'FLAG', allowed: true })
    },
    type(text: string): void {
      if (!editing) return
      setEditing({ ...opened, text, selects: false })
      write(editing.at, text, editing.before)
    },
    close: () => setEditing(null),
    /** Leaves the cell. An invalid text stays there, marked, until the person continues with it. */
    leave(): void {
      const cell = editing && cellAt(editing.at)
      const parsed = cell && parseCellText(cell.feature, editing.text)
      if (parsed && 'problem' in parsed) toastDone(describeInvalidLeft(cell, parsed.problem))
      setEditing(null)
    },
    cancel(): void {
      if (editing) set(editing.at, editing.before)
      setEditing(null)
    },
  }
}

type CellKeys = Pick<Editing, 'feature' | 'plan'>

/** The position of the cell; null if its feature or plan is not shown any more. */
export function findCell(keys: CellKeys, { features, plans }: Pick<Cells, 'features' | 'plans'>): Position | null {
  const row = features.findIndex(({ key }) => key === keys.feature)
  const column = plans.findIndex(({ key }) => key === keys.plan)
  return row === -1 || column === -1 ? null : { row, column }
}

function describeInvalidLeft({ feature, plan }: Cell, problem: string): string {
  return `${feature.name} on ${plan.name} stays as it was. ${problem} Open the cell to continue with your text.`
}
