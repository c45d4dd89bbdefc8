import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './drawer-actions.module.css'

/** The buttons below the long content of a drawer: they stay in sight while it scrolls. */
export function DrawerActions({ children }: { children: ReactNode }) {
  return (
    <Group justify="flex-end" className={classes.actions} data-actions>
      {children}
    </Group>
  )
}
