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

/** Code to copy, wrapped rather than scrolled. */
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

/** Content that few people need, folded up behind its title. */
export function Fold({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className={classes.fold}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}
