import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { NameAndKey } from '../../../components/form/name-and-key.tsx'
import { ServerForm } from '../../../components/form/server-form.tsx'
import { useServerForm } from '../../../components/form/use-server-form.ts'
import { CreatePlanDocument, type GrantInput, UpdatePlanDocument } from '../../../generated/plans.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import type { FirstStepsAnswer } from '../first-steps.ts'

/** Creates a plan that grants the first feature, or adds the grant to the existing plan. */
export function PlanStep({ first: { features, plans } }: { first: FirstStepsAnswer }) {
  const feature = features.find(({ kind }) => kind !== 'CONFIG')
  const [plan] = plans
  if (!feature) return <OnlyConfigs />
  return plan ? <GrantForm plan={plan} feature={feature} /> : <PlanForm feature={feature} />
}

type Feature = FirstStepsAnswer['features'][number]

function grantOf({ key, kind }: Feature): GrantInput {
  return kind === 'LIMIT' ? { feature: key, kind, limit: null } : { feature: key, kind }
}

function PlanForm({ feature }: { feature: Feature }) {
  const write = useOrganizationWrite()
  const state = useServerForm({
    initialValues: { name: '', key: '' },
    async submit(values) {
      await write(CreatePlanDocument, { input: { ...values, grants: [grantOf(feature)] } })
      toastDone(`Plan “${values.name}” was added.`)
    },
  })
  return (
    <ServerForm state={state} action="Add plan">
      <NameAndKey form={state.form} description="The name that your code uses for the plan." />
      <GrantNote feature={feature} />
    </ServerForm>
  )
}

function GrantForm({ plan, feature }: { plan: FirstStepsAnswer['plans'][number]; feature: Feature }) {
  const write = useOrganizationWrite()
  const others = plan.grants.filter((grant) => grant.feature !== feature.key)
  const keptGrants = others.map(({ feature: key, kind, limit, value }): GrantInput => {
    if (kind === 'LIMIT') return { feature: key, kind, limit }
    return kind === 'CONFIG' ? { feature: key, kind, value } : { feature: key, kind }
  })
  const state = useServerForm({
    initialValues: {},
    async submit() {
      const grants = [...keptGrants, grantOf(feature)]
      await write(UpdatePlanDocument, { input: { key: plan.key, grants, expectedUpdatedAt: plan.updatedAt } })
      toastDone(`“${plan.name}” grants “${feature.name}” now.`)
    },
  })
  return (
    <ServerForm state={state} action={`Grant it on “${plan.name}”`}>
      <Text>
        The plan “{plan.name}” grants nothing yet. Grant “{feature.name}” on it
        {feature.kind === 'LIMIT' && ', without a limit'}.
      </Text>
    </ServerForm>
  )
}

function GrantNote({ feature: { name, kind } }: { feature: Feature }) {
  return (
    <Text c="dimmed">
      The plan grants “{name}”{kind === 'LIMIT' && ', without a limit'}. All grants are in Plans.
    </Text>
  )
}

function OnlyConfigs() {
  const organizationId = useOrganizationId()
  return (
    <Text>
      All features are configs: choose their values in{' '}
      <Link to="/o/$organizationId/plans" params={{ organizationId }} search={{ create: true }}>
        Plans
      </Link>
      .
    </Text>
  )
}
