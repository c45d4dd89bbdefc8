import { Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton } from '../text/copy-button.tsx'
import classes from './code-block.module.css'

type CodeProps = {
  title: string
  code: string
  /** The content before the copy button. */
  beside?: ReactNode
}

/** Shows code with a button that copies it. Long lines are wrapped, and do not scroll. */
export function CodeBlock({ title, code, beside }: CodeProps) {
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb={4}>
        <Title order={3}>{title}</Title>
        <Group gap={4}>
          {beside}
          <CopyButton value={code} what={title} />
        </Group>
      </Group>
      <pre className={classes.code}>{code}</pre>
    </section>
  )
}

/** Content that few people need. Only its title is visible until they open it. */
export function Fold({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className={classes.fold}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}
