import { Drawer, Skeleton, Stack } from '@mantine/core'
import { useState } from 'react'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { StoredOverrideDocument } from '../../../generated/explanation.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'
import { FeatureHistory } from '../history/lazy-history.tsx'
import type { Loss } from '../history/losses.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import type { ExplainedFeature } from './explained.ts'
import { FeatureNow } from './feature-now.tsx'
import { GrantingPlans } from './granting-plans.tsx'
import { OverrideDone, type SavedOverride } from './override-done.tsx'
import { OverrideForm } from './override-form.tsx'

type Props = {
  features: readonly ExplainedFeature[]
  /** The key of the subscriber's plan. */
  plan: string | null
  planName: string | null
  losses: ReadonlyMap<string, Loss>
}

/** One feature of the subscriber: its value and reason, the plans that grant it, its override, and its history. */
export function FeatureDrawer({ features, plan, planName, losses }: Props) {
  const { search, go } = useSubscriberSearch()
  const mayOverride = useMay('overrides:write') && search.at === undefined
  const opened = features.find(({ key }) => key === search.feature)
  const [last, setLast] = useState(opened)
  // The drawer keeps its content while it closes.
  if (opened && opened !== last) setLast(opened)
  const shown = opened ?? last
  return (
    <Drawer opened={opened !== undefined} onClose={() => go({ feature: undefined })} title={shown?.name} size="md">
      {shown && (
        <Stack gap="lg" key={shown.key}>
          <FeatureNow feature={shown} planName={planName} loss={losses.get(shown.key)} />
          {shown.entitlement.source !== 'PLAN' && <GrantingPlans feature={shown} plan={plan} />}
          {mayOverride && <OverrideEditor feature={shown} onClose={() => go({ feature: undefined })} />}
          <FeatureHistory feature={shown.key} />
        </Stack>
      )}
    </Drawer>
  )
}

type OverrideEditorProps = { feature: ExplainedFeature; onClose(): void }

/** Shows the form of the stored override, expired or not, and after a write its result. */
function OverrideEditor({ feature, onClose }: OverrideEditorProps) {
  const { subscriberId } = useSubscriberSearch()
  const stored = useOrganizationQuery(StoredOverrideDocument, { subscriberId, feature: feature.key })
  const [saved, setSaved] = useState<SavedOverride | null>(null)
  const now = stored.data?.overrides.nodes[0]
  // Undo or a colleague may have changed the override since: then the result is out of date.
  if (saved && (stored.error || now?.updatedAt === saved.saved.updatedAt)) {
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
