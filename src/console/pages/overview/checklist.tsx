import { Button, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { DoneIcon } from '../../components/icons/actions.tsx'
import { Section } from '../../components/page/section.tsx'
import { useOrganizationId } from '../../session/organization-id.ts'
import { type Label, useMay, useViewer } from '../../session/viewer.ts'
import classes from './checklist.module.css'
import { type FirstStepsAnswer, listSteps, type Step, type StepReads } from './first-steps.ts'
import { useFirstSteps, useWebhook } from './reads.ts'
import { CheckStep } from './steps/check-step.tsx'
import { FeatureStep } from './steps/feature-step.tsx'
import { KeyStep } from './steps/key-step.tsx'
import { PlanStep } from './steps/plan-step.tsx'
import { SubscriberStep } from './steps/subscriber-step.tsx'

type Props = Pick<StepReads, 'usage'> & { onClose(): void }

/** The steps from an empty organization to a check that answers true. */
export function Checklist({ usage, onClose }: Props) {
  const { data: webhook } = useWebhook()
  return (
    <Loaded query={useFirstSteps()} skeleton={null}>
      {(first) => <Steps steps={listSteps({ usage, first, webhook })} first={first} onClose={onClose} />}
    </Loaded>
  )
}

/** The first open step that the role allows shows its form. */
function Steps({ steps, first, onClose }: { steps: readonly Step[]; first: FirstStepsAnswer; onClose(): void }) {
  const labels: readonly string[] = useViewer()?.labels ?? []
  const done = steps.filter(({ isDone }) => isDone).length
  const current = steps.find(({ isDone, label }) => isDone === false && labels.includes(label))
  const isChecked = steps.some(({ id, isDone }) => id === 'check' && isDone)

  const forms: Partial<Record<Step['id'], ReactNode>> = {
    feature: <FeatureStep />,
    plan: <PlanStep first={first} />,
    subscriber: <SubscriberStep first={first} />,
    key: <KeyStep />,
    webhook: <WebhookLink />,
  }
  return (
    <Section
      title="Steps to the first check"
      description={`${done} of ${steps.length} done.`}
      actions={
        isChecked && (
          <Button variant="default" onClick={onClose}>
            Hide
          </Button>
        )
      }
    >
      <ol className={classes.steps}>
        {steps.map((step) => (
          <StepRow key={step.id} step={step} isCurrent={step === current}>
            {/* After the person has run the check, it stays on the page with its answer. */}
            {step.id === 'check' ? <CheckStep first={first} /> : step === current && forms[step.id]}
          </StepRow>
        ))}
      </ol>
    </Section>
  )
}

const statusWords = { true: 'done: ', false: 'to do: ', null: 'not visible to your role: ' }

type RowProps = { step: Step; isCurrent: boolean; children: ReactNode }

/** One step, with a tick if it is done. */
function StepRow({ step, isCurrent, children }: RowProps) {
  const { title, why, isDone, label } = step
  const row = useFocusWhenNext(isCurrent)
  return (
    <li ref={row} className={classes.step} aria-current={isCurrent ? 'step' : undefined}>
      <span className={isDone ? classes.done : classes.open}>{isDone && <DoneIcon size={14} />}</span>
      <div className={classes.words}>
        <span className={classes.title}>
          <VisuallyHidden>{statusWords[`${isDone}`]}</VisuallyHidden>
          {title}
        </span>
        <p className={classes.why}>
          {why}
          {isDone === false && <RoleHint label={label} />}
        </p>
        {children}
      </div>
    </li>
  )
}

function RoleHint({ label }: { label: Label }) {
  const role = useViewer()?.role?.toLowerCase()
  return useMay(label) ? null : ` Your role, ${role}, cannot do this: ask an admin.`
}

function WebhookLink() {
  const organizationId = useOrganizationId()
  return (
    <Link to="/o/$organizationId/webhook" params={{ organizationId }}>
      Connect a webhook
    </Link>
  )
}

/** Moves the focus into a step when it becomes the current step, because another step was done. */
function useFocusWhenNext(isCurrent: boolean) {
  const row = useRef<HTMLLIElement>(null)
  const wasCurrent = useRef(isCurrent)
  useEffect(() => {
    if (isCurrent && !wasCurrent.current) row.current?.querySelector<HTMLElement>('input, button')?.focus()
    wasCurrent.current = isCurrent
  }, [isCurrent])
  return row
}
