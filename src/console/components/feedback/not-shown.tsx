import { Text } from '@mantine/core'
import { useViewer } from '../../session/viewer.ts'

/** Replaces content that the person's role may not read. `what` completes "does not show …". */
export function NotShown({ what }: { what: string }) {
  const role = useViewer()?.role?.toLowerCase()
  return (
    <Text c="dimmed">
      Your role, {role}, does not show {what}.
    </Text>
  )
}
