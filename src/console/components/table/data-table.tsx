import { Link, type LinkProps, useParams } from '@tanstack/react-router'
import { type KeyboardEvent, type MouseEvent, type ReactNode, type RefObject, useRef } from 'react'
import classes from './data-table.module.css'
import { useVisibleRows } from './use-visible-rows.ts'

export type Column<Row> = {
  title: string
  render: (row: Row) => ReactNode
  /** Aligns numbers to the right. */
  align?: 'right'
  width?: string
  /** `line` keeps the text on one line. `rest` gives the column the remaining width, and cuts longer text. */
  text?: 'line' | 'rest'
  /**
   * The value's position in a row on a phone: beside the row's title, on the line below the title, at the end of the line
   * below, or on lines of its own. Other values come last: `bare` hides the column's title before the value.
   */
  card?: 'beside' | 'below' | 'end' | 'lines' | 'bare'
  /** Whether the row has the usual value of this column. The column is hidden if it has this value in all rows. */
  isUsual?: (row: Row) => boolean
}

/** The first column names the row and carries its link. */
export type Columns<Row> = readonly [Column<Row>, ...Column<Row>[]]

type DataTableProps<Row> = {
  /** What the table holds, for screen readers. */
  label: string
  rows: readonly Row[]
  rowKey: (row: Row) => string
  columns: Columns<Row>
  /** The target of a row's link, which covers the whole row. */
  to?: (row: Row) => RowTarget
  /** Shown on hover and focus, above the row's link. */
  actions?: (row: Row) => ReactNode
}

/**
 * A table of compact rows with a sticky header. Arrow keys move the focus between rows, and Enter opens the focused row. On a
 * phone, each row has several lines.
 */
export function DataTable<Row>({ label, rows, rowKey, columns, to, actions }: DataTableProps<Row>) {
  const table = useRef<HTMLTableElement>(null)
  const onKeyDown = useRowKeys(table)
  const { organizationId } = useParams({ strict: false })
  const { visible, before, after, measure } = useVisibleRows(table, rows)
  const [first, ...others] = columns.filter(({ isUsual }) => !(isUsual && rows.every(isUsual))) as [...Columns<Row>]
  const columnCount = 1 + others.length + (actions ? 1 : 0)

  return (
    <table
      ref={table}
      className={to ? `${classes.table} ${classes.linked}` : classes.table}
      aria-label={label}
      aria-rowcount={rows.length + 1}
      // The virtualizer itself keeps the scroll position when it measures rows.
      style={measure && { overflowAnchor: 'none' }}
      onClick={forwardHintClick}
      onKeyDown={onKeyDown}
    >
      <thead>
        <tr>
          {[first, ...others].map(({ title, width, ...look }) => (
            <th key={title} scope="col" className={toClassNames(look)} style={{ width }}>
              {title}
            </th>
          ))}
          {actions && (
            <th scope="col" className={classes.actions}>
              <span className={classes.hidden}>Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        <SpacerRow height={before} span={columnCount} />
        {visible.map(({ row, index }) => (
          <tr key={rowKey(row)} ref={measure} data-index={index} aria-rowindex={index + 2}>
            <th scope="row" className={classes.first}>
              {to ? (
                <RowLink organizationId={organizationId} {...to(row)}>
                  {first.render(row)}
                </RowLink>
              ) : (
                first.render(row)
              )}
            </th>
            {others.map(({ title, render, ...look }) => (
              <td key={title} data-title={title} className={toClassNames(look)}>
                {render(row)}
              </td>
            ))}
            {actions && <td className={classes.actions}>{actions(row)}</td>}
          </tr>
        ))}
        <SpacerRow height={after} span={columnCount} />
      </tbody>
    </table>
  )
}

/** Elements with a hint are above the row's link: a click on one is forwarded to the link, with its modifier keys. */
function forwardHintClick({ target, nativeEvent }: MouseEvent): void {
  const hint = (target as Element).closest('[data-hint]')
  if (!hint || hint.closest('a, button')) return
  hint.closest('tr')?.querySelector('[data-row-link]')?.dispatchEvent(new window.MouseEvent('click', nativeEvent))
}

function toClassNames({ align, text, card }: Pick<Column<never>, 'align' | 'text' | 'card'>): string {
  return [align && classes[align], text && classes[text], card && classes[card]].filter(Boolean).join(' ')
}

/** An empty row that is as high as all rows above or below the rendered ones. */
function SpacerRow({ height, span }: { height: number; span: number }) {
  if (height === 0) return null
  return (
    <tr className={classes.gap}>
      <td colSpan={span} style={{ height, padding: 0 }} />
    </tr>
  )
}

/** Arrow keys, Home and End move between the links of the rows. The link itself handles Enter. */
function useRowKeys(table: RefObject<HTMLTableElement | null>) {
  return function onKeyDown(event: KeyboardEvent): void {
    const links = [...(table.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    if (at === -1) return
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    links[next]?.focus()
  }
}

/**
 * A route within the organization, and its params other than `organizationId`. If the row opens a drawer, `resetScroll: false`
 * keeps the page's scroll position.
 */
export type RowTarget = {
  to: string
  params?: Record<string, string>
  search?: Record<string, unknown>
  resetScroll?: boolean
}

type Props = RowTarget & { organizationId: string | undefined; children: ReactNode }

/** A link that covers its whole row, so that a click anywhere in the row follows it. */
function RowLink({ organizationId, to, params, search, resetScroll = true, children }: Props) {
  // The router types each route's params separately; a table takes any route.
  const target = { to, params: { organizationId, ...params }, search } as LinkProps
  return (
    <Link {...target} className={classes.link} data-row-link preload={false} resetScroll={resetScroll}>
      {children}
    </Link>
  )
}
