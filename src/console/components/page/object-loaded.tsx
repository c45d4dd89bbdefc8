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
  /** The object's id in the address: the title if the object cannot be read. */
  id: string
  /** The link to the list. */
  above: ReactNode
  children: (data: Data) => ReactNode
}

/** The page of one object. The head keeps its height while loading, and links back even if the object is gone. */
export function ObjectLoaded<Data>({ query: { data, error, refetch }, id, above, children }: Props<Data>) {
  // A page that deletes its object leaves by itself.
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
