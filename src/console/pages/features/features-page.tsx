import { Button, Drawer, Tabs } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { UseTheApi } from '../../components/api/use-the-api.tsx'
import { AddIcon } from '../../components/icons/actions.tsx'
import { PageHeader } from '../../components/page/page-header.tsx'
import { ReadOnlyNotice } from '../../frame/read-only-notice.tsx'
import { useMay } from '../../session/viewer.ts'
import { listFeatures, listOverrides } from './api-examples.ts'
import { Catalog } from './catalog.tsx'
import { CreateFeatureForm } from './create-feature-form.tsx'
import { Hygiene } from './hygiene/hygiene.tsx'
import { lists } from './hygiene/lists.ts'

const route = getRouteApi('/o/$organizationId/features')

export function FeaturesPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMay('features:write')
  const maySeeOverrides = useMay('overrides:read')
  const setSearch = (patch: typeof search) => void navigate({ search: (old) => ({ ...old, ...patch }) })
  const openDrawer = () => setSearch({ create: true })
  const closeDrawer = () => setSearch({ create: undefined })
  const isHygiene = maySeeOverrides && search.tab === 'hygiene'

  return (
    <>
      <PageHeader
        title="Features"
        description="What your product can do, and what plans grant."
        actions={
          <>
            <UseTheApi
              title={isHygiene ? 'Lists these overrides' : 'Lists the features'}
              example={isHygiene ? listOverrides(lists[search.list ?? 'repeats'].query) : listFeatures}
              opened={search.api === true}
              onChange={(opened) => setSearch({ api: opened || undefined })}
            />
            {mayWrite && (
              <Button leftSection={<AddIcon size={16} />} onClick={openDrawer}>
                Add feature
              </Button>
            )}
          </>
        }
      />
      <ReadOnlyNotice label="features:write" what="change features" />
      {maySeeOverrides ? (
        <Tabs
          value={isHygiene ? 'hygiene' : 'catalog'}
          onChange={(tab) => setSearch({ tab: tab === 'hygiene' ? tab : undefined })}
          keepMounted={false}
        >
          <Tabs.List mb="md">
            <Tabs.Tab value="catalog">Catalog</Tabs.Tab>
            <Tabs.Tab value="hygiene">Hygiene</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="catalog">
            <Catalog onAdd={mayWrite ? openDrawer : null} />
          </Tabs.Panel>
          <Tabs.Panel value="hygiene">
            <Hygiene />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <Catalog onAdd={mayWrite ? openDrawer : null} />
      )}
      <Drawer opened={mayWrite && search.create === true} onClose={closeDrawer} title="Add feature">
        <CreateFeatureForm onClose={closeDrawer} />
      </Drawer>
    </>
  )
}
