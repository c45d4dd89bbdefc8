import { Button, Drawer } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { DeleteItem, PageApiMenu } from '../../components/api/use-the-api.tsx'
import { EditIcon } from '../../components/icons/actions.tsx'
import { BackLink } from '../../components/page/back-link.tsx'
import { ObjectLoaded } from '../../components/page/object-loaded.tsx'
import { PageHeader } from '../../components/page/page-header.tsx'
import { useFlag } from '../../components/page/use-flag.ts'
import { ReadOnlyNotice } from '../../frame/read-only-notice.tsx'
import { FeatureDocument, type FeatureKind } from '../../generated/features.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { useMay } from '../../session/viewer.ts'
import { readFeature } from './api-examples.ts'
import { DeleteFeatureDialog } from './delete-feature-dialog.tsx'
import { EditFeatureForm } from './edit-feature-form.tsx'
import { FeatureDetails } from './feature-details.tsx'
import { FeatureHistory } from './feature-history.tsx'
import { GrantsOfFeature } from './grants-of-feature.tsx'
import { OverridesOfFeature } from './overrides/overrides-of-feature.tsx'
import { DeniedSubscribers } from './usage/denied-subscribers.tsx'
import { UsageOfFeature } from './usage/usage-of-feature.tsx'

const route = getRouteApi('/o/$organizationId/features/$featureKey')

/** Shown for a feature without a description. */
const whatItIs: Record<FeatureKind, string> = {
  FLAG: 'On or off, set by a plan or an override.',
  LIMIT: 'A number that may be unlimited, set by a plan or an override.',
  CONFIG: 'A typed value, set by a plan or an override.',
}

export function FeaturePage() {
  const { organizationId, featureKey } = route.useParams()
  const edit = useFlag('edit')
  const query = useOrganizationQuery(FeatureDocument, { key: featureKey })
  const mayWrite = useMay('features:write')
  const [isDeleting, setDeleting] = useState(false)

  const above = (
    <BackLink to="/o/$organizationId/features" params={{ organizationId }}>
      Features
    </BackLink>
  )
  return (
    <ObjectLoaded query={query} id={featureKey} above={above}>
      {({ feature }) => (
        <>
          <PageHeader
            above={above}
            title={feature.name}
            description={feature.description || whatItIs[feature.kind]}
            actions={
              <>
                <PageApiMenu
                  title="Reads this feature"
                  example={readFeature(feature.key)}
                  items={mayWrite && <DeleteItem onClick={() => setDeleting(true)} />}
                />
                {mayWrite && (
                  <Button leftSection={<EditIcon size={16} />} onClick={edit.open}>
                    Edit
                  </Button>
                )}
              </>
            }
          />
          <ReadOnlyNotice label="features:write" what="change features" />
          <FeatureDetails feature={feature} />
          <UsageOfFeature featureKey={feature.key} />
          <GrantsOfFeature feature={feature} />
          <OverridesOfFeature />
          <DeniedSubscribers featureKey={feature.key} />
          <FeatureHistory feature={feature} />
          <Drawer opened={mayWrite && edit.isOn} onClose={edit.close} title="Edit feature">
            <EditFeatureForm feature={feature} onClose={edit.close} />
          </Drawer>
          <DeleteFeatureDialog feature={feature} opened={isDeleting} onClose={() => setDeleting(false)} />
        </>
      )}
    </ObjectLoaded>
  )
}
