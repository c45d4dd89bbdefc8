import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './section.module.css'

type Props = { title: string; description?: string; actions?: ReactNode; children: ReactNode }

/** A part of a page under its own heading. */
export function Section({ title, description, actions, children }: Props) {
  return (
    <section className={classes.section} aria-label={title} data-part>
      <Group justify="space-between" mb="xs">
        <div>
          <Title order={2}>{title}</Title>
          {description && (
            <Text c="dimmed" fz="0.8125rem">
              {description}
            </Text>
          )}
        </div>
        {actions}
      </Group>
      {children}
    </section>
  )
}
