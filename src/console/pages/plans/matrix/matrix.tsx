import { useMediaQuery } from '@mantine/hooks'
import { useRouter } from '@tanstack/react-router'
import { type CSSProperties, type MouseEvent, useMemo } from 'react'
import type { Value } from '../../../components/text/entitlement-value.tsx'
import { KindHeading } from '../../../components/text/kind-badge.tsx'
import type { Draft } from '../draft/draft.ts'
import type { InvalidCells } from '../draft/invalid-cells.ts'
import { useDragHeaders } from '../order/drag-area.tsx'
import { type Feature, grantsOf, type Plan } from '../plan.ts'
import { CellEditor, hintElementId } from './cell-editor.tsx'
import { JsonCellEditor } from './json-cell-editor.tsx'
import classes from './matrix.module.css'
import { MatrixHeader } from './matrix-head.tsx'
import { type DraftValuesOfFeature, MatrixRow } from './matrix-row.tsx'
import type { Line, MatrixLines } from './rows.ts'
import { ScrollEdges } from './scroll-edges.tsx'
import type { Cell } from './use-cell-editing.ts'
import { useGrid } from './use-grid.ts'
import { useVisibleLines } from './use-visible-lines.ts'

type Props = {
  organizationId: string
  lines: MatrixLines
  plans: readonly Plan[]
  draft: Draft
  unfinished: InvalidCells
  mayWrite: boolean
  onChange(plan: Plan, feature: string, value: Value | null): void
  /** Stores the invalid text of a cell, or removes it if `text` is null. */
  onKeep(cell: Cell, text: string | null): void
  /** A cell to open; `onFound` is called once it is open. */
  sought: Cell | null
  onFound(): void
}

/** The grants of all plans, with a row for each feature and a column for each plan. Cells are edited in place. */
export function Matrix({ organizationId, lines: { lines, features }, plans, draft, unfinished, ...props }: Props) {
  const { mayWrite, onChange, onKeep, sought, onFound } = props
  const { history } = useRouter()
  const columns = useMemo(() => plans.map((plan) => ({ key: plan.key, grants: grantsOf(plan) })), [plans])
  const wanted = useMemo(() => draftValuesByFeature(draft), [draft])
  const drag = useDragHeaders()
  const { box, active, editing, onClick, onFocus, onKeyDown, editor } = useGrid({
    ...{ features, plans, mayWrite },
    valueAt(feature, plan) {
      const stored = columns.find(({ key }) => key === plan.key)?.grants.get(feature.key) ?? null
      const mine = draft.get(plan.key)?.wanted.get(feature.key)
      return mine === undefined ? stored : mine
    },
    change: (feature, plan, value) => onChange(plan, feature.key, value),
    unfinished,
    keep: onKeep,
    sought,
    onFound,
    reveal: (row) => visible.reveal(row),
  })
  const edited = features[active.row]
  const planName = plans[active.column]?.name ?? ''
  const opened = editing && edited && { feature: edited, planName, text: editing.text, ...editor }
  const isJson = edited?.valueType === 'JSON'
  const editorInRow = opened && !isJson && (
    <CellEditor key={`${editing.feature} ${editing.plan}`} {...opened} selects={editing.selects} />
  )
  const visible = useVisibleLines(box, lines)
  const tabStop = findTabStop(visible.lines, active.row)

  return (
    <ScrollEdges box={box} style={{ '--columns': plans.length } as CSSProperties}>
      {mayWrite && <HintSlot />}
      <div ref={box} className={classes.box}>
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table for navigation with keys.
          role="grid"
          aria-label="Grants of each plan"
          aria-rowcount={lines.length + 1}
          aria-colcount={plans.length + 1}
          aria-readonly={!mayWrite}
          className={classes.table}
          onClick={(event) => {
            if (!followLink(event, history)) onClick(event)
          }}
          onFocus={onFocus}
          onKeyDown={onKeyDown}
          {...drag}
        >
          <MatrixHeader plans={plans} active={active} />
          <tbody>
            <HiddenRowsSpacer height={visible.before} />
            {visible.lines.map(({ line, index }) =>
              'kind' in line ? (
                <GroupHeader key={line.kind} {...line} ariaRow={index + 2} columns={plans.length + 1} />
              ) : (
                <MatrixRow
                  key={line.feature.key}
                  organizationId={organizationId}
                  feature={line.feature}
                  row={line.row}
                  neighbors={line.neighbors}
                  ariaRow={index + 2}
                  columns={columns}
                  wanted={wanted.get(line.feature.key)}
                  unfinished={unfinished.get(line.feature.key)}
                  active={tabStop === line.row ? active.column : null}
                  editor={active.row === line.row ? editorInRow : null}
                />
              ),
            )}
            <HiddenRowsSpacer height={visible.after} />
          </tbody>
        </table>
      </div>
      {opened && isJson && <JsonCellEditor {...opened} />}
    </ScrollEdges>
  )
}

/** The row that Tab enters: the active one, or the first row in sight if the active one is out of sight. */
function findTabStop(visible: readonly { line: Line }[], active: number): number {
  const rows = visible.flatMap(({ line }) => ('row' in line ? [line.row] : []))
  return rows.includes(active) || active === -1 ? active : (rows[0] ?? 0)
}

/** The line above the matrix that says how to edit. The hint of an open cell replaces it. */
function HintSlot() {
  const isTouch = useMediaQuery('(pointer: coarse), (max-width: 767px)', undefined, { getInitialValueInEffect: false })
  return (
    <div id={hintElementId} className={classes.hintPlace}>
      <p className={classes.editHint}>{isTouch ? 'Tap' : 'Click'} a value to change it.</p>
    </div>
  )
}

type GroupProps = { kind: Feature['kind']; count: number; ariaRow: number; columns: number }

function GroupHeader({ kind, count, ariaRow, columns }: GroupProps) {
  return (
    <tr aria-rowindex={ariaRow}>
      <th scope="rowgroup" colSpan={columns} className={classes.group}>
        <span className={classes.groupName}>
          <KindHeading kind={kind} count={count} />
        </span>
      </th>
    </tr>
  )
}

/** An empty row that is as high as the rows out of sight. */
function HiddenRowsSpacer({ height }: { height: number }) {
  if (height === 0) return null
  return (
    <tr>
      <td style={{ height, padding: 0 }} />
    </tr>
  )
}

/** Lets the router follow a clicked link. With a modifier key the browser opens another tab instead. */
function followLink(event: MouseEvent, history: { push(path: string): void }): boolean {
  const link = (event.target as Element).closest('a')
  if (!link) return false
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return true
  event.preventDefault()
  history.push(link.pathname)
  return true
}

function draftValuesByFeature(draft: Draft): Map<string, DraftValuesOfFeature> {
  const byFeature = new Map<string, Map<string, Value | null>>()
  for (const [planKey, { wanted }] of draft) {
    for (const [feature, value] of wanted) {
      const plans = byFeature.get(feature) ?? new Map<string, Value | null>()
      byFeature.set(feature, plans.set(planKey, value))
    }
  }
  return byFeature
}
