import { Button, Group, Stack, Text } from '@mantine/core'
import { DoneIcon } from '../../../components/icons/actions.tsx'
import type { ExplainedFeature, Override } from './explained.ts'
import { Heard } from './heard.tsx'
import classes from './override-done.module.css'

type Props = { feature: ExplainedFeature; saved: Override; onClose(): void; onEdit(): void }

/** After the write: whether the vendor's product has heard of it. */
export function OverrideDone({ feature: { name }, saved, onClose, onEdit }: Props) {
  const isOver = saved.expiresAt !== null && new Date(saved.expiresAt) <= new Date()
  return (
    <Stack gap="md">
      <div className={classes.done}>
        <DoneIcon size={16} />
        <Text>
          {isOver ? `${name} is saved, but its end has passed: it does not count.` : `${name} is in force now.`}
        </Text>
      </div>
      <Heard since={saved.updatedAt} />
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
