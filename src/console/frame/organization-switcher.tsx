import { Menu, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { DoneIcon } from '../components/icons/actions.tsx'
import { SwitchIcon } from '../components/icons/navigation.tsx'
import { EnvironmentBadge } from '../components/text/environment-badge.tsx'
import { shortenMiddle } from '../components/text/shorten.ts'
import { PersonDocument, ViewerDocument } from '../generated/session.ts'
import { useOrganizationId } from '../session/organization-id.ts'
import { useOrganizationQuery, usePersonQuery } from '../session/queries.ts'
import classes from './rail.module.css'

/** Shows the current organization and links to the person's others. */
export function OrganizationSwitcher() {
  const organizationId = useOrganizationId()
  const viewer = useOrganizationQuery(ViewerDocument, {}).data
  const organizations = usePersonQuery(PersonDocument, {}).data?.user.organizations ?? []
  const isHere = (other: { organizationId: string }) => other.organizationId === organizationId
  const environmentOf = (organization: (typeof organizations)[number]) =>
    isHere(organization) && viewer ? viewer.organization.environment : organization.environment
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <UnstyledButton className={classes.switcher}>
          <span className={classes.names}>
            <span className={classes.name}>{viewer?.organization.name}</span>
            <span className={classes.second}>{viewer?.viewer.role?.toLowerCase()}</span>
          </span>
          <span className={classes.state}>
            <EnvironmentBadge environment={viewer?.organization.environment} />
            <SwitchIcon size={16} />
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {organizations.map((organization) => (
          <Menu.Item
            key={organization.organizationId}
            renderRoot={(props) => (
              <Link to="/o/$organizationId" params={{ organizationId: organization.organizationId }} {...props} />
            )}
            rightSection={
              <span className={classes.state}>
                <EnvironmentBadge environment={environmentOf(organization)} />
                {isHere(organization) && <DoneIcon size={16} />}
              </span>
            }
          >
            {shortenMiddle(isHere(organization) && viewer ? viewer.organization.name : organization.name, 60)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          renderRoot={(props) => <Link to="/o/$organizationId/settings" params={{ organizationId }} {...props} />}
        >
          This organization
        </Menu.Item>
        <Menu.Item renderRoot={(props) => <Link to="/organizations" {...props} />}>Create or join another</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
