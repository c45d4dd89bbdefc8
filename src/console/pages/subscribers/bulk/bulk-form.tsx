import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { Section } from '../../../components/page/section.tsx'
import type { BulkChange, Catalog } from './bulk-change.ts'
import type { Whom } from './use-bulk.ts'
import { toChange, usualWhat, WhatFields } from './what-fields.tsx'
import { WhomFields } from './whom-fields.tsx'

type Props = { catalog: Catalog; onCheck(whom: Whom, change: BulkChange): void }

export function BulkForm({ catalog, onCheck }: Props) {
  const [whom, setWhom] = useState<Whom | null>(null)
  const [what, setWhat] = useState(usualWhat)
  const change = toChange(what, catalog)
  return (
    <Stack gap="lg">
      <Section title="Whom">
        <WhomFields onChange={setWhom} />
      </Section>
      <Section title="What">
        <WhatFields what={what} catalog={catalog} onChange={(patch) => setWhat((old) => ({ ...old, ...patch }))} />
      </Section>
      <Group>
        <Button disabled={!change || !whom} onClick={() => change && whom && onCheck(whom, change)}>
          Check whom it reaches
        </Button>
      </Group>
    </Stack>
  )
}
