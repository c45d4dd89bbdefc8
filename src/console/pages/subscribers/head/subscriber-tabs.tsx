import { Tabs } from '@mantine/core'
import { useMay } from '../../../session/viewer.ts'
import { FeatureList } from '../features/feature-list.tsx'
import { HistoryTab } from '../history/lazy-history.tsx'
import { OverrideList } from '../overrides/override-list.tsx'
import { PlanHistory } from '../plan/plan-history.tsx'
import { useSubscriberSearch } from '../use-subscriber-search.ts'

const features = 'features'

/** Small enough that the tabs fit on one line on a phone. */
const padding = { base: 8, xs: 'md' }

type Tab = 'plans' | 'overrides' | 'history'

/** The tabs of the page; the address says which is open. */
export function SubscriberTabs() {
  const { search, go } = useSubscriberSearch()
  const mayReadHistory = useMay('overrides:read')
  return (
    <Tabs
      mt="lg"
      keepMounted={false}
      value={search.tab ?? features}
      onChange={(tab) => go({ tab: tab === features ? undefined : (tab as Tab) })}
    >
      <Tabs.List mb="md">
        <Tabs.Tab value={features} px={padding}>
          Features
        </Tabs.Tab>
        <Tabs.Tab value="plans" px={padding}>
          Plan history
        </Tabs.Tab>
        <Tabs.Tab value="overrides" px={padding}>
          Overrides
        </Tabs.Tab>
        {mayReadHistory && (
          <Tabs.Tab value="history" px={padding}>
            History
          </Tabs.Tab>
        )}
      </Tabs.List>
      <Tabs.Panel value={features}>
        <FeatureList />
      </Tabs.Panel>
      <Tabs.Panel value="plans">
        <PlanHistory />
      </Tabs.Panel>
      <Tabs.Panel value="overrides">
        <OverrideList />
      </Tabs.Panel>
      {mayReadHistory && (
        <Tabs.Panel value="history">
          <HistoryTab />
        </Tabs.Panel>
      )}
    </Tabs>
  )
}
