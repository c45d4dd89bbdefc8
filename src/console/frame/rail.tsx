import { Link } from '@tanstack/react-router'
import { SearchIcon } from '../components/icons/actions.tsx'
import { useOrganizationId } from '../session/organization-id.ts'
import { useViewer } from '../session/viewer.ts'
import { modifierKey } from './modifier-key.ts'
import { navigation } from './navigation.ts'
import { OrganizationSwitcher } from './organization-switcher.tsx'
import { PersonMenu } from './person-menu.tsx'
import classes from './rail.module.css'

type Props = {
  /** Opens the search. Absent on a phone, where the search has its own button in the bar above the page. */
  onSearch?: () => void
  /** Closes the drawer that contains the rail on a phone. */
  onNavigate?: () => void
}

/** The navigation rail. From top to bottom: the organization, the search, the pages, and the person. */
export function Rail({ onSearch, onNavigate }: Props) {
  const organizationId = useOrganizationId()
  const labels = useViewer()?.labels ?? []
  return (
    <div className={classes.rail}>
      <OrganizationSwitcher />
      {onSearch && (
        <button type="button" className={classes.search} aria-keyshortcuts="Control+K Meta+K /" onClick={onSearch}>
          <SearchIcon size={16} />
          Search
          <span className={classes.shortcut} aria-hidden="true">
            {modifierKey} K
          </span>
        </button>
      )}
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
