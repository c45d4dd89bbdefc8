import { Button, Group, Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { Section } from '../../../components/page/section.tsx'
import { toFilter } from '../subscriber-filter.ts'
import { AudienceFields, type AudienceInput, toAudience } from './audience-fields.tsx'
import type { BulkChange, Catalog } from './bulk-change.ts'
import { ChangeFields, defaultChange, toChange } from './change-fields.tsx'
import type { Audience } from './use-bulk.ts'

const route = getRouteApi('/o/$organizationId/bulk')

type Props = { catalog: Catalog; onCheck(whom: Audience, change: BulkChange): void }

export function BulkForm({ catalog, onCheck }: Props) {
  const search = route.useSearch()
  const [chosen, setChosen] = useState<AudienceInput>({ source: toFilter(search) ? 'filter' : 'ids', text: '' })
  const [what, setWhat] = useState(defaultChange)
  const whom = toAudience(chosen, search)
  const change = toChange(what, catalog)
  return (
    <Stack gap="lg">
      <Section title="Whom">
        <AudienceFields
          chosen={chosen}
          search={search}
          onChange={(patch) => setChosen((old) => ({ ...old, ...patch }))}
        />
      </Section>
      <Section title="What">
        <ChangeFields what={what} catalog={catalog} onChange={(patch) => setWhat((old) => ({ ...old, ...patch }))} />
      </Section>
      <Group>
        <Button disabled={!change || !whom} onClick={() => change && whom && onCheck(whom, change)}>
          Check whom it reaches
        </Button>
      </Group>
    </Stack>
  )
}
