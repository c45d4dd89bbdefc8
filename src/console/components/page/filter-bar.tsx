import { Group } from '@mantine/core'
import type { ReactNode } from 'react'

/** The filters above a list; what they hold is in the page's address. */
export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <Group gap="xs" mb="sm" role="search">
      {children}
    </Group>
  )
}
