import { Skeleton } from '@mantine/core'
import { useState } from 'react'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { StoredOverrideDocument } from '../../../generated/explanation.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import type { ExplainedFeature } from './explained.ts'
import { type Done, OverrideDone } from './override-done.tsx'
import { OverrideForm } from './override-form.tsx'

type Props = { feature: ExplainedFeature; onClose(): void }

/** The override as it is stored, expired or not: the form, and after it what became of the write. */
export function OverrideEditor({ feature, onClose }: Props) {
  const { subscriberId } = useSubscriberSearch()
  const stored = useOrganizationQuery(StoredOverrideDocument, { subscriberId, feature: feature.key })
  const [saved, setSaved] = useState<Done | null>(null)
  if (saved) {
    return <OverrideDone feature={feature} done={saved} onClose={onClose} onEdit={() => setSaved(null)} />
  }
  return (
    <Loaded query={stored} skeleton={<Skeleton height={280} role="status" aria-label="Loading" />}>
      {({ overrides: { nodes } }) => (
        <OverrideForm feature={feature} stored={nodes[0] ?? null} onSaved={setSaved} onClose={onClose} />
      )}
    </Loaded>
  )
}
