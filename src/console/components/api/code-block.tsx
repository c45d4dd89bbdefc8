import { Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton } from '../text/copy-button.tsx'
import classes from './code-block.module.css'

/** Code to copy, wrapped rather than scrolled. */
export function CodeBlock({ title, code }: { title: string; code: string }) {
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb={4}>
        <Title order={3}>{title}</Title>
        <CopyButton value={code} what={title} />
      </Group>
      <pre className={classes.code}>{code}</pre>
    </section>
  )
}

/** Content that few people need, folded up behind its title. */
export function Fold({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className={classes.fold}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}
