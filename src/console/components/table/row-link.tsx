import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import classes from './data-table.module.css'

/** A route with its params, as `<Link>` takes them. A row that opens a drawer keeps the page where it is scrolled to. */
export type RowTarget = {
  to: string
  params?: Record<string, string>
  search?: Record<string, unknown>
  resetScroll?: boolean
}

/** Covers its whole row, so that a click anywhere opens it. */
export function RowLink({ to, params, search, resetScroll = true, children }: RowTarget & { children: ReactNode }) {
  // The router types each route's params apart; a table takes any route.
  const target = { to, params, search } as LinkProps
  return (
    <Link {...target} className={classes.link} data-row-link preload={false} resetScroll={resetScroll}>
      {children}
    </Link>
  )
}
