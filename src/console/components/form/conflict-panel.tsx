import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './conflict-panel.module.css'
import type { ChangedField, Conflict } from './use-edit-conflict.ts'

/**
 * Shown when someone else changed the same object: asks which values to keep, and lists the fields that get the other person's
 * values.
 */
export function ConflictPanel({ conflict }: { conflict: Conflict }) {
  const { clashes, followed, isRemoved, keepMine, takeTheirs } = conflict
  return (
    <div role="alert" className={classes.panel} data-conflict>
      <Text fw={600}>Someone else {isRemoved ? 'removed' : 'changed'} this while you were editing</Text>
      {isRemoved && <Text mt={6}>Save again to create it again.</Text>}
      <Stack gap="sm" mt={6}>
        {clashes.map((clash) => (
          <ConflictQuestion
            key={clash.field}
            clash={clash}
            onMine={() => keepMine(clash.field)}
            onTheirs={() => takeTheirs(clash.field)}
          />
        ))}
        {followed.length > 0 && (
          <section aria-label="Now in the form">
            <Text>
              {clashes.length > 0 ? 'They also changed this. ' : ''}The form shows it now
              {clashes.length > 0 ? ':' : '; save again to keep it:'}
            </Text>
            {followed.map((changed) => (
              <Text key={changed.field}>
                {changed.label}: <b>{describe(changed, changed.theirs)}</b>
              </Text>
            ))}
          </section>
        )}
      </Stack>
    </div>
  )
}

type Props = { clash: ChangedField; onMine(): void; onTheirs(): void }

function ConflictQuestion({ clash, onMine, onTheirs }: Props) {
  const { label, mine, theirs } = clash
  return (
    <section aria-label={label}>
      <Text fw={500}>{label}</Text>
      <div className={classes.sides}>
        <Side who="Yours" label={label} value={describe(clash, mine)} action="Keep mine" onChoose={onMine} />
        <Side who="Theirs" label={label} value={describe(clash, theirs)} action="Take theirs" onChoose={onTheirs} />
      </div>
    </section>
  )
}

type SideProps = { who: string; label: string; value: ReactNode; action: string; onChoose(): void }

function Side({ who, label, value, action, onChoose }: SideProps) {
  return (
    <div className={classes.side}>
      <span className={classes.who}>{who}</span>
      {/* A long text scrolls, by keyboard too. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard. */}
      <pre className={classes.value} tabIndex={0}>
        {value}
      </pre>
      <Button variant="default" size="xs" onClick={onChoose} aria-label={`${action}: ${label}`}>
        {action}
      </Button>
    </div>
  )
}

function describe({ show }: ChangedField, value: unknown): ReactNode {
  if (show) return show(value as never)
  if (value === null || value === undefined || value === '') return '(empty)'
  if (Array.isArray(value)) return value.map(String).join(', ')
  return String(value)
}
