import { Button, Group, Popover, Stack, TextInput } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { dayBefore } from './to-filter.ts'

const route = getRouteApi('/o/$organizationId/audit-log')

const presets = [
  { text: 'Today', days: 0 },
  { text: 'Last 7 days', days: 7 },
  { text: 'Last 30 days', days: 30 },
]

/** Lets the person choose the first and the last day of the entries. A preset sets the first day and clears the last. */
export function PeriodChoice() {
  const { since, until } = route.useSearch()
  const navigate = route.useNavigate()
  const [isOpen, setOpen] = useState(false)

  function choose(period: { since?: string | undefined; until?: string | undefined }): void {
    void navigate({ search: (old) => ({ ...old, ...period }), replace: true })
  }

  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" onClick={() => setOpen(!isOpen)}>
          Period
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <Group gap="xs">
            {presets.map(({ text, days }) => (
              <Button
                key={text}
                variant="default"
                size="compact-sm"
                onClick={() => {
                  choose({ since: dayBefore(new Date(), days), until: undefined })
                  setOpen(false)
                }}
              >
                {text}
              </Button>
            ))}
          </Group>
          <Group grow gap="xs">
            <TextInput
              type="date"
              label="Since"
              value={since ?? ''}
              onChange={(event) => choose({ since: event.currentTarget.value || undefined })}
            />
            <TextInput
              type="date"
              label="Until"
              value={until ?? ''}
              onChange={(event) => choose({ until: event.currentTarget.value || undefined })}
            />
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
