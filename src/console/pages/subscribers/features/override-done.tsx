import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { DoneIcon } from '../../../components/icons/actions.tsx'
import { formatDay } from '../../../components/text/format-time.ts'
import type { ExplainedFeature, Override } from './explained.ts'
import classes from './override-done.module.css'

export type SavedOverride = {
  saved: Override
  /** Whether the vendor's product received the change. */
  deliveryStatus: ReactNode
}

type Props = { feature: ExplainedFeature; done: SavedOverride; onClose(): void; onEdit(): void }

/** Shows, after the write, whether the vendor's product received the change. */
export function OverrideDone({ feature: { name }, done: { saved, deliveryStatus }, onClose, onEdit }: Props) {
  const isOver = saved.expiresAt !== null && new Date(saved.expiresAt) <= new Date()
  return (
    <Stack gap="md">
      <div className={classes.done}>
        <DoneIcon size={16} />
        <Text>
          {isOver
            ? `The override of ${name} was saved, but it has expired and has no effect.`
            : saved.startsAt
              ? `The override of ${name} starts on ${formatDay(new Date(saved.startsAt), new Date())}.`
              : `The override of ${name} is in force now.`}
        </Text>
      </div>
      {deliveryStatus}
      <Group justify="flex-end">
        <Button variant="default" onClick={onEdit}>
          Change it
        </Button>
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
