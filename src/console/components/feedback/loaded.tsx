import type { ReactNode } from 'react'
import { ErrorPanel } from './error-panel.tsx'

type Read<Data> = { data: Data | undefined; error: Error | null; refetch(): unknown }

type Props<Data> = {
  query: Read<Data>
  /** A skeleton in the content's shape, so that nothing jumps. */
  skeleton: ReactNode
  children: (data: Data) => ReactNode
}

/** Shows the data when it is loaded; until then the skeleton, or the error. */
export function Loaded<Data>({ query: { data, error, refetch }, skeleton, children }: Props<Data>) {
  if (data !== undefined) return children(data)
  if (error) return <ErrorPanel error={error} retry={() => void refetch()} />
  return skeleton
}
