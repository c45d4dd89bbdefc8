import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** Where a list has no rows: what would be here, and the way to the first one. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Stack align="center" gap={6} py={56} px="md" ta="center">
      <Text fw={600}>{title}</Text>
      {children && (
        <Text c="dimmed" maw="44ch">
          {children}
        </Text>
      )}
      {action && <div style={{ marginTop: 8 }}>{action}</div>}
    </Stack>
  )
}
