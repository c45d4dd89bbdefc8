import { Link } from '@tanstack/react-router'
import { ForwardIcon } from '../../components/icons/navigation.tsx'
import { shortenMiddle } from '../../components/text/shorten.ts'
import classes from './organization-list.module.css'

type Props = { organizations: readonly { organizationId: string; name: string; role: string }[] }

export function OrganizationList({ organizations }: Props) {
  if (organizations.length === 0) return null
  return (
    <ul className={classes.list}>
      {organizations.map(({ organizationId, name, role }) => (
        <li key={organizationId}>
          <Link to="/o/$organizationId" params={{ organizationId }} className={classes.link}>
            <span className={classes.name}>{shortenMiddle(name, 80)}</span>
            <span className={classes.role}>{role.toLowerCase()}</span>
            <ForwardIcon size={16} />
          </Link>
        </li>
      ))}
    </ul>
  )
}
