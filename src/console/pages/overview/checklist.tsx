import { Skeleton, VisuallyHidden } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { toCurl } from '../../components/api/api-examples.ts'
import { CodeBlock } from '../../components/api/code-block.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { DoneIcon } from '../../components/icons/actions.tsx'
import { Section } from '../../components/page/section.tsx'
import { FirstStepsDocument } from '../../generated/overview.ts'
import { useOrganizationId } from '../../session/organization-id.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { useMay } from '../../session/viewer.ts'
import { checkOf } from './api-examples.ts'
import classes from './checklist.module.css'
import { type Found, firstSteps, type Step } from './first-steps.ts'
import { every, useWebhook } from './reads.ts'

/** For an organization without checks so far: the existing objects, and links to create the rest. */
export function Checklist({ counts, usage }: Pick<Found, 'counts' | 'usage'>) {
  const query = useOrganizationQuery(FirstStepsDocument, {}, { refetchInterval: every.deliveries })
  const { data: webhook } = useWebhook()
  return (
    <Loaded query={query} skeleton={<Skeleton height={330} mt={28} />}>
      {(first) => <Steps steps={firstSteps({ counts, usage, first, webhook })} first={first} />}
    </Loaded>
  )
}

function Steps({ steps, first }: { steps: readonly Step[]; first: NonNullable<Found['first']> }) {
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <Section title="Steps to the first check" description={`${done} of ${steps.length} done.`}>
      <ol className={classes.steps}>
        {steps.map((step) => (
          <StepRow key={step.id} step={step}>
            {step.id === 'check' && !step.isDone && (
              <FirstCheck
                feature={first.features.at(-1)?.key}
                subscriberId={first.subscribers.nodes[0]?.subscriberId}
              />
            )}
          </StepRow>
        ))}
      </ol>
    </Section>
  )
}

type Props = { feature: string | undefined; subscriberId: string | undefined }

/** The command for the first check, with the objects that exist. */
function FirstCheck({ feature = 'FEATURE', subscriberId = 'SUBSCRIBER' }: Props) {
  return <CodeBlock title="As curl" code={toCurl(window.location.origin, checkOf(subscriberId, feature))} />
}

const words = { true: 'done: ', false: 'to do: ', null: 'not visible to your role: ' }

/** One step with its tick, and a link for roles that may do it. */
function StepRow({ step, children }: { step: Step; children?: ReactNode }) {
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

/** Opens the drawer that creates an object, on pages that have one. */
function searchOf(page: Step['page']): Record<string, unknown> {
  if (page === 'team') return { tab: 'service-accounts' }
  return page === 'webhook' ? {} : { create: true }
}
