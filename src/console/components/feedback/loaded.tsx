import type { ReactNode } from 'react'
import { ErrorPanel } from './error-panel.tsx'

type Read<Data> = { data: Data | undefined; error: Error | null; refetch(): unknown }

type Props<Data> = {
  query: Read<Data>
  /** In the shape of what it stands for, so that nothing jumps. */
  skeleton: ReactNode
  children: (data: Data) => ReactNode
}

/** Shows what was read; until then a skeleton, or why it could not be read. */
export function Loaded<Data>({ query: { data, error, refetch }, skeleton, children }: Props<Data>) {
  if (data !== undefined) return children(data)
  if (error) return <ErrorPanel error={error} retry={() => void refetch()} />
  return skeleton
}
