import { List } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { isServerError } from '../../api/errors.ts'
import { useOrganizationId } from '../../session/organization-id.ts'

type Usage = { option: string; plans: string[]; overrides: string[] }

/** The plans and overrides that still use a removed option, with links. Contract: Catalog 3. */
export function OptionsInUse({ error }: { error: Error }) {
  const organizationId = useOrganizationId()
  if (!isServerError(error, 'OPTION_IN_USE')) return null
  const usage = error.details?.usage as Usage[]
  return (
    <List size="sm">
      {usage.flatMap(({ option, plans, overrides }) => [
        ...plans.map((planKey) => (
          <List.Item key={`plan ${option} ${planKey}`}>
            <code>{option}</code>: plan{' '}
            <Link to="/o/$organizationId/plans/$planKey" params={{ organizationId, planKey }}>
              {planKey}
            </Link>
          </List.Item>
        )),
        ...overrides.map((subscriberId) => (
          <List.Item key={`override ${option} ${subscriberId}`}>
            <code>{option}</code>: override of{' '}
            <Link to="/o/$organizationId/subscribers/$subscriberId" params={{ organizationId, subscriberId }}>
              {subscriberId}
            </Link>
          </List.Item>
        )),
      ])}
    </List>
  )
}
