import { Button, Drawer, Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { PageApiMenu } from '../../components/api/use-the-api.tsx'
import { EmptyList, EmptyState } from '../../components/feedback/empty-state.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { AddIcon } from '../../components/icons/actions.tsx'
import { sortPlans } from '../../components/order/by-position.ts'
import { PageHeader } from '../../components/page/page-header.tsx'
import { useFlag } from '../../components/page/use-flag.ts'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { ReadOnlyNotice } from '../../frame/read-only-notice.tsx'
import { MatrixFeaturesDocument, PlansDocument } from '../../generated/plans.ts'
import { useOrganizationId } from '../../session/organization-id.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { useMay } from '../../session/viewer.ts'
import { listPlans } from './api-examples.ts'
import { CreatePlanForm } from './create-plan-form.tsx'
import type { Plan } from './plan.ts'
import { Workbench } from './workbench.tsx'

export function PlansPage() {
  const create = useFlag('create')
  const plans = useOrganizationQuery(PlansDocument, {})
  const features = useOrganizationQuery(MatrixFeaturesDocument, {})
  const organizationId = useOrganizationId()
  const mayWrite = useMay('plans:write')

  return (
    <>
      <PageHeader
        title="Plans"
        description="What each plan grants to its subscribers."
        actions={
          <>
            <PageApiMenu
              title="Lists the plans with their grants"
              example={listPlans}
              items={
                <Menu.Item
                  renderRoot={(props) => (
                    <Link to="/o/$organizationId/copy-catalog" params={{ organizationId }} {...props} />
                  )}
                >
                  Copy catalog to…
                </Menu.Item>
              }
            />
            {mayWrite && (
              <Button leftSection={<AddIcon size={16} />} onClick={create.open}>
                Add plan
              </Button>
            )}
          </>
        }
      />
      <ReadOnlyNotice label="plans:write" what="change plans" />
      <Loaded query={plans} skeleton={<TableSkeleton />}>
        {(read) => (
          <Loaded query={features} skeleton={<TableSkeleton />}>
            {(catalog) => {
              if (read.plans.length === 0) return <NoPlans onAdd={mayWrite ? create.open : null} />
              if (catalog.features.length === 0) return <NoFeatures plans={read.plans} />
              return <Workbench plans={read.plans} features={catalog.features} />
            }}
          </Loaded>
        )}
      </Loaded>
      <Drawer opened={mayWrite && create.isOn} onClose={create.close} title="Add plan">
        <CreatePlanForm plans={sortPlans(plans.data?.plans ?? [])} onClose={create.close} />
      </Drawer>
    </>
  )
}

function NoPlans({ onAdd }: { onAdd: (() => void) | null }) {
  return (
    <EmptyList title="No plans yet" action="Add the first plan" onAdd={onAdd}>
      A plan grants features to everyone who subscribes to it.
    </EmptyList>
  )
}

/** Replaces the matrix while there are plans but no features to grant. */
function NoFeatures({ plans }: { plans: readonly Plan[] }) {
  const organizationId = useOrganizationId()
  return (
    <EmptyState title="No features yet">
      Plans grant features, so add{' '}
      <Link to="/o/$organizationId/features" params={{ organizationId }}>
        a feature
      </Link>{' '}
      first. Plans:{' '}
      {sortPlans(plans).map(({ key, name }, index) => (
        <span key={key}>
          {index > 0 && ', '}
          <Link to="/o/$organizationId/plans/$planKey" params={{ organizationId, planKey: key }}>
            {name}
          </Link>
        </span>
      ))}
      .
    </EmptyState>
  )
}
