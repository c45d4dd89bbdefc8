import { Button, Drawer, Tabs } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { PageApiMenu } from '../../components/api/use-the-api.tsx'
import { AddIcon } from '../../components/icons/actions.tsx'
import { PageHeader } from '../../components/page/page-header.tsx'
import { useFlag } from '../../components/page/use-flag.ts'
import { useCurrentMinute } from '../../components/text/use-now.ts'
import { ReadOnlyNotice } from '../../frame/read-only-notice.tsx'
import { useMay } from '../../session/viewer.ts'
import { listFeatures, listOverrides } from './api-examples.ts'
import { Catalog } from './catalog.tsx'
import { CleanUp } from './clean-up/clean-up.tsx'
import { toListFilter } from './clean-up/clean-up-lists.ts'
import { CreateFeatureForm } from './create-feature-form.tsx'

const route = getRouteApi('/o/$organizationId/features')

export function FeaturesPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMay('features:write')
  const maySeeOverrides = useMay('overrides:read')
  const create = useFlag('create')
  const minute = useCurrentMinute()
  const isCleanUp = maySeeOverrides && search.tab === 'clean-up'

  function showTab(tab: string | null): void {
    void navigate({ search: (old) => ({ ...old, tab: tab === 'clean-up' ? tab : undefined }) })
  }

  return (
    <>
      <PageHeader
        title="Features"
        description="What your product can do, and what plans grant."
        actions={
          <>
            <PageApiMenu
              title={isCleanUp ? 'Lists these overrides' : 'Lists the features'}
              example={isCleanUp ? listOverrides(toListFilter(search.list ?? 'repeats', minute).query) : listFeatures}
            />
            {mayWrite && (
              <Button leftSection={<AddIcon size={16} />} onClick={create.open}>
                Add feature
              </Button>
            )}
          </>
        }
      />
      <ReadOnlyNotice label="features:write" what="change features" />
      {maySeeOverrides ? (
        <Tabs value={isCleanUp ? 'clean-up' : 'catalog'} onChange={showTab} keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="catalog">Catalog</Tabs.Tab>
            <Tabs.Tab value="clean-up">Clean up</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="catalog">
            <Catalog onAdd={mayWrite ? create.open : null} />
          </Tabs.Panel>
          <Tabs.Panel value="clean-up">
            <CleanUp />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <Catalog onAdd={mayWrite ? create.open : null} />
      )}
      <Drawer opened={mayWrite && create.isOn} onClose={create.close} title="Add feature">
        <CreateFeatureForm onClose={create.close} />
      </Drawer>
    </>
  )
}
