import { VisuallyHidden } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { DoneIcon } from '../../components/icons/actions.tsx'
import { useOrganizationId } from '../../session/organization-id.ts'
import { useMay } from '../../session/viewer.ts'
import classes from './checklist.module.css'
import type { Step } from './first-steps.ts'

const words = { true: 'done: ', false: 'to do: ', null: 'not visible to your role: ' }

/** One step with its tick; the way to do it is there for roles that may. */
export function StepRow({ step, children }: { step: Step; children?: ReactNode }) {
  const { title, why, isDone, action, label, page } = step
  const organizationId = useOrganizationId()
  const may = useMay(label)
  const target = { to: `/o/$organizationId/${page}`, params: { organizationId }, search: searchOf(page) } as LinkProps
  return (
    <li className={classes.step}>
      <span className={isDone ? classes.done : classes.open}>{isDone && <DoneIcon size={14} />}</span>
      <div className={classes.words}>
        <div className={classes.head}>
          <span className={classes.title}>
            <VisuallyHidden>{words[`${isDone}`]}</VisuallyHidden>
            {title}
          </span>
          {may && page && isDone !== true && <Link {...target}>{action}</Link>}
        </div>
        <p className={classes.why}>{why}</p>
        {children}
      </div>
    </li>
  )
}

/** Opens the drawer that creates one, on pages that have such a drawer. */
function searchOf(page: Step['page']): Record<string, unknown> {
  if (page === 'team') return { tab: 'service-accounts' }
  return page === 'webhook' ? {} : { create: true }
}
