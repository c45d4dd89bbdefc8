import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './page-header.module.css'

type Props = {
  title: string
  /** One line that says what the page shows. */
  description?: ReactNode
  /** At most one primary button, after the page's other actions. */
  actions?: ReactNode
  /** The link to the list. */
  above?: ReactNode
}

/** A title of this length may be cut on a narrow page. */
const longTitleLength = 60

/** The head of every page, and the title of its tab. */
export function PageHeader({ title, description, actions, above }: Props) {
  return (
    <header className={classes.header}>
      <title>{`${title} · Entitlements`}</title>
      {above}
      <div className={classes.head}>
        <Title order={1} className={classes.title} title={title.length > longTitleLength ? title : undefined}>
          {title}
        </Title>
        {description && (
          <Text c="dimmed" className={classes.description}>
            {description}
          </Text>
        )}
        {actions && (
          <Group gap="xs" className={classes.actions}>
            {actions}
          </Group>
        )}
      </div>
    </header>
  )
}
