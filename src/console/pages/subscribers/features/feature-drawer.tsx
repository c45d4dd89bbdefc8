import { Drawer, Stack } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../../session/viewer.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import type { ExplainedFeature } from './explained.ts'
import { FeatureNow } from './feature-now.tsx'
import { GrantingPlans } from './granting-plans.tsx'
import { OverrideEditor } from './override-editor.tsx'

type Props = { features: readonly ExplainedFeature[]; plan: string | null }

/** One feature of the subscriber: why, which plans grant it, and its override. */
export function FeatureDrawer({ features, plan }: Props) {
  const { search, go } = useSubscriberSearch()
  const mayOverride = useMay('overrides:write') && search.at === undefined
  const opened = features.find(({ key }) => key === search.feature)
  const [last, setLast] = useState(opened)
  // While the drawer slides away it still shows what it was about.
  if (opened && opened !== last) setLast(opened)
  const shown = opened ?? last
  return (
    <Drawer
      opened={opened !== undefined}
      onClose={() => go({ feature: undefined })}
      title={shown?.name}
      size="md"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {shown && (
        <Stack gap="lg" key={shown.key}>
          <FeatureNow feature={shown} plan={plan} />
          {shown.entitlement.source !== 'PLAN' && <GrantingPlans feature={shown} plan={plan} />}
          {mayOverride && <OverrideEditor feature={shown} onClose={() => go({ feature: undefined })} />}
        </Stack>
      )}
    </Drawer>
  )
}
