import { Button, Stack, Text } from '@mantine/core'
import classes from './conflict-panel.module.css'
import type { Clash, Conflict } from './use-edit-conflict.ts'

/** Someone else changed the same fields: shows both values and asks which one stays. */
export function ConflictPanel({ conflict: { clashes, keepMine, takeTheirs } }: { conflict: Conflict }) {
  return (
    <div role="alert" className={classes.panel} data-conflict>
      <Text fw={600}>Someone else changed this while you were editing</Text>
      <Stack gap="sm" mt={6}>
        {clashes.map((clash) => (
          <Question
            key={clash.field}
            clash={clash}
            onMine={() => keepMine(clash.field)}
            onTheirs={() => takeTheirs(clash.field)}
          />
        ))}
      </Stack>
    </div>
  )
}

type Props = { clash: Clash; onMine(): void; onTheirs(): void }

function Question({ clash: { label, mine, theirs }, onMine, onTheirs }: Props) {
  return (
    <section aria-label={label}>
      <Text fw={500}>{label}</Text>
      <div className={classes.sides}>
        <Side who="Yours" label={label} value={mine} action="Keep mine" onChoose={onMine} />
        <Side who="Theirs" label={label} value={theirs} action="Take theirs" onChoose={onTheirs} />
      </div>
    </section>
  )
}

type SideProps = { who: string; label: string; value: unknown; action: string; onChoose(): void }

function Side({ who, label, value, action, onChoose }: SideProps) {
  return (
    <div className={classes.side}>
      <span className={classes.who}>{who}</span>
      {/* A long text scrolls, by keyboard too. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard. */}
      <pre className={classes.value} tabIndex={0}>
        {describe(value)}
      </pre>
      <Button variant="default" size="xs" onClick={onChoose} aria-label={`${action}: ${label}`}>
        {action}
      </Button>
    </div>
  )
}

function describe(value: unknown): string {
  if (value === null || value === undefined || value === '') return '(empty)'
  if (Array.isArray(value)) return value.map(describe).join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}
