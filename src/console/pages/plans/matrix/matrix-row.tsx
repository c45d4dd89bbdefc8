import { memo, type ReactNode, use } from 'react'
import type { Value } from '../../../components/text/entitlement-value.tsx'
import { type InvalidCellsOfFeature, problemOf } from '../draft/invalid-cells.ts'
import { MoveButton, type Neighbors } from '../order/move-button.tsx'
import { MovesContext } from '../order/use-moves.ts'
import type { Feature, Grants } from '../plan.ts'
import { GrantCell, GrantChange } from './grant-cell.tsx'
import classes from './matrix.module.css'
import { InvalidTextMark } from './unfinished-mark.tsx'

/** The drafted values of one feature, by plan key; null removes the grant. */
export type DraftValuesOfFeature = ReadonlyMap<string, Value | null>

type MatrixColumn = { key: string; grants: Grants }

type Props = {
  organizationId: string
  feature: Feature
  row: number
  neighbors: Neighbors
  /** The row's index among all lines of the grid, including headers. */
  ariaRow: number
  columns: readonly MatrixColumn[]
  wanted: DraftValuesOfFeature | undefined
  unfinished: InvalidCellsOfFeature | undefined
  /** The column of the active cell, if it is in this row; -1 is the feature itself. */
  active: number | null
  /** Replaces the active cell while it is edited. */
  editor: ReactNode
}

/** One feature. The row renders again only when its content changed: a matrix has thousands of cells. */
export const MatrixRow = memo(function MatrixRow(props: Props) {
  const { organizationId, feature, row, neighbors, ariaRow, columns, wanted, unfinished, active, editor } = props
  const mayMove = use(MovesContext) !== null
  return (
    <tr aria-rowindex={ariaRow}>
      <th
        scope="row"
        className={classes.feature}
        data-cell={`${row}:-1`}
        {...(mayMove && { 'data-move': 'feature', 'data-move-key': feature.key })}
      >
        <FeatureLink organizationId={organizationId} feature={feature} isActive={active === -1} mayMove={mayMove} />
        <MoveButton
          kind="feature"
          itemKey={feature.key}
          name={feature.name}
          neighbors={neighbors}
          isTabStop={active === -1}
        />
      </th>
      {columns.map(({ key, grants }, column) => {
        const from = grants.get(feature.key) ?? null
        const to = wanted?.get(key)
        const left = unfinished?.get(key)
        const isActive = active === column
        return (
          <td
            key={key}
            className={to === undefined ? classes.cell : classes.changed}
            data-cell={`${row}:${column}`}
            tabIndex={isActive ? 0 : -1}
          >
            {isActive && editor ? (
              editor
            ) : to === undefined ? (
              <GrantCell kind={feature.kind} value={from} />
            ) : (
              <GrantChange kind={feature.kind} from={from} to={to} />
            )}
            {left !== undefined && !(isActive && editor) && (
              <InvalidTextMark text={left} problem={problemOf(feature, left)} />
            )}
          </td>
        )
      })}
    </tr>
  )
}, isSame)

function isSame({ wanted, ...old }: Props, { wanted: nextWanted, ...next }: Props): boolean {
  const names = Object.keys(old) as (keyof typeof old)[]
  return names.every((name) => Object.is(old[name], next[name])) && hasSameDraftValues(wanted, nextWanted)
}

function hasSameDraftValues(old: DraftValuesOfFeature | undefined, next: DraftValuesOfFeature | undefined): boolean {
  if (old === next) return true
  if (!old || !next || old.size !== next.size) return false
  return [...old].every(([plan, value]) => next.has(plan) && next.get(plan) === value)
}

type LinkProps = { organizationId: string; feature: Feature; isActive: boolean; mayMove: boolean }

/** A plain link, which the matrix follows itself: a router link takes longer to render than the whole row. */
function FeatureLink({ organizationId, feature: { key, name }, isActive, mayMove }: LinkProps) {
  return (
    <a
      href={`/o/${organizationId}/features/${encodeURIComponent(key)}`}
      tabIndex={isActive ? 0 : -1}
      title={name === key ? name : `${name} (${key})`}
      className={classes.link}
      draggable={mayMove ? false : undefined}
    >
      <span className={classes.name}>{name}</span>
      {name !== key && <code className={classes.key}>{key}</code>}
    </a>
  )
}
