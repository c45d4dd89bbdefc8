import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './page-header.module.css'

type Props = {
  title: string
  /** One line that says what the page shows. */
  description?: ReactNode
  /** At most one primary button, after the page's other actions. */
  actions?: ReactNode
  /** The link to the object's list, above the title. */
  above?: ReactNode
}

/** A longer title may be cut on a narrow page, so it is also shown on hover. */
const longTitleLength = 60

/** The header of a page. It also sets the title of the browser's tab. */
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
