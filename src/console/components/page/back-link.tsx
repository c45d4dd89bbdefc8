import { Link, type LinkProps } from '@tanstack/react-router'
import { BackIcon } from '../icons/navigation.tsx'
import classes from './back-link.module.css'

/** Links an object's page to its list. */
export function BackLink({ children, ...target }: LinkProps & { children: string }) {
  return (
    <Link {...target} className={classes.link}>
      <BackIcon size={14} />
      {children}
    </Link>
  )
}
