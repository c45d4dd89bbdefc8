import { Skeleton } from '@mantine/core'
import { useIsMutating } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isServerError } from '../../api/errors.ts'
import { ErrorPanel } from '../feedback/error-panel.tsx'
import { TableSkeleton } from '../table/table-skeleton.tsx'
import { shortenMiddle } from '../text/shorten.ts'
import classes from './object-loaded.module.css'
import { PageHeader } from './page-header.tsx'

type Props<Data> = {
  query: { data: Data | undefined; error: Error | null; refetch(): unknown }
  /** The object's id in the page's address. It is the title if the object cannot be loaded. */
  id: string
  /** The link to the object's list, above the title. */
  above: ReactNode
  children: (data: Data) => ReactNode
}

/**
 * Shows the page of an object when the object is loaded, and until then a skeleton whose header has the same height. The link
 * to the list is always there, even if the object does not exist.
 */
export function ObjectLoaded<Data>({ query: { data, error, refetch }, id, above, children }: Props<Data>) {
  // A page that deletes its object navigates away itself, so the missing object is not an error.
  const isLeaving = useIsMutating() > 0
  const isGone = isServerError(error, 'NOT_FOUND') && !isLeaving
  if (data !== undefined && !isGone) return children(data)
  if (error) {
    return (
      <>
        <PageHeader above={above} title={shortenMiddle(id, 80)} />
        <ErrorPanel error={error} retry={() => void refetch()} />
      </>
    )
  }
  return (
    <>
      <div className={classes.head}>
        {above}
        <Skeleton className={classes.title} />
      </div>
      <div className={classes.properties}>
        <Skeleton height={12} width="40%" />
      </div>
      <TableSkeleton />
    </>
  )
}
