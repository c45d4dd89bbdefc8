import { Link } from '@tanstack/react-router'
import { navigation } from './navigation.ts'
import { OrganizationSwitcher } from './organization-switcher.tsx'
import { PersonMenu } from './person-menu.tsx'
import classes from './rail.module.css'
import { useOrganizationId } from './use-organization-id.ts'
import { useViewer } from './viewer.ts'

/** The organization on top, the pages, and the person below. `onNavigate` closes the drawer that it may stand in. */
export function Rail({ onNavigate }: { onNavigate?: () => void }) {
  const organizationId = useOrganizationId()
  const labels = useViewer()?.labels ?? []
  return (
    <div className={classes.rail}>
      <OrganizationSwitcher />
      <nav aria-label="Pages" className={classes.pages}>
        {navigation
          .filter(({ label }) => labels.includes(label))
          .map(({ name, to, Icon }) => (
            <Link
              key={name}
              to={to}
              params={{ organizationId }}
              activeOptions={{ exact: name === 'Overview', includeSearch: false }}
              className={classes.link}
              onClick={onNavigate}
            >
              <Icon />
              {name}
            </Link>
          ))}
      </nav>
      <PersonMenu />
    </div>
  )
}
