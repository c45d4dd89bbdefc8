import { VisuallyHidden } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { InfoIcon, WarningIcon } from '../../components/icons/actions.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { Since } from '../../components/text/since.tsx'
import { useOrganizationId } from '../../session/organization-id.ts'
import classes from './problem-strip.module.css'
import type { Problem } from './problems.ts'

const toneWords = { bad: 'Problem:', warn: 'Warning:', neutral: 'Note:' }

/** One problem, when it began, and a link to its remedy. */
export function ProblemRow({ problem: { tone, what, since, moment, more, remedy, to } }: { problem: Problem }) {
  const organizationId = useOrganizationId()
  return (
    <li className={`${classes.problem} ${classes[tone]}`}>
      <span className={classes.sign}>
        {tone === 'neutral' ? <InfoIcon size={16} /> : <WarningIcon size={16} />}
        <VisuallyHidden>{toneWords[tone]}</VisuallyHidden>
      </span>
      <span className={classes.what}>
        {what}
        {/* Screen readers should not announce the time whenever its words change. */}
        <span aria-live="off">
          {since && (
            <>
              {' '}
              <Since at={since} />
            </>
          )}
          {moment && (
            <>
              , {moment.word} <Moment at={moment.at} />
            </>
          )}
        </span>
        . {more}
        {!to && <span className={classes.advice}>{remedy}</span>}
      </span>
      {to && (
        <span className={classes.remedy}>
          <Link
            {...({
              to: `/o/$organizationId/${to.page}`,
              params: { organizationId, ...to.params },
              search: to.search,
            } as LinkProps)}
          >
            {remedy}
          </Link>
        </span>
      )}
    </li>
  )
}
