import { VisuallyHidden } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { InfoIcon, WarningIcon } from '../../components/icons/actions.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { useOrganizationId } from '../../session/organization-id.ts'
import classes from './trouble-strip.module.css'
import type { Trouble } from './troubles.ts'

const words = { bad: 'Wrong:', warn: 'Warning:', neutral: 'Note:' }

/** One trouble, since when, and a link to its remedy. */
export function TroubleRow({ trouble: { tone, what, moment, remedy, to } }: { trouble: Trouble }) {
  const organizationId = useOrganizationId()
  return (
    <li className={`${classes.trouble} ${classes[tone]}`}>
      <span className={classes.sign}>
        {tone === 'neutral' ? <InfoIcon size={16} /> : <WarningIcon size={16} />}
        <VisuallyHidden>{words[tone]}</VisuallyHidden>
      </span>
      <span className={classes.what}>
        {what}
        {moment && (
          // Screen readers should not announce it each time its words change.
          <span className={classes.since} aria-live="off">
            {moment.word} <Moment at={moment.at} />
          </span>
        )}
      </span>
      <span className={classes.remedy}>
        {to ? (
          <Link
            {...({
              to: `/o/$organizationId/${to.page}`,
              params: { organizationId, ...to.params },
              search: to.search,
            } as LinkProps)}
          >
            {remedy}
          </Link>
        ) : (
          remedy
        )}
      </span>
    </li>
  )
}
