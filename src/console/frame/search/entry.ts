import type { FC } from 'react'
import type { IconProps } from '../../components/icons/icon.tsx'
import type { RowTarget } from '../../components/table/row-link.tsx'

/** One line of the search: an object, a page or an action, and where it leads. */
export type Entry = {
  id: string
  name: string
  /** The id or key, where the name is another. */
  code?: string | null
  /** What is known of it besides. */
  context?: string | null
  /** What it is, in a word. */
  kind: string
  Icon: FC<IconProps>
  target: RowTarget
}

export type Group = { title: string; entries: readonly Entry[] }
