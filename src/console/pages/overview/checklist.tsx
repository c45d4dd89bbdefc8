import { Skeleton } from '@mantine/core'
import { toCurl } from '../../components/api/api-examples.ts'
import { CodeBlock } from '../../components/api/code-block.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Section } from '../../components/page/section.tsx'
import { FirstStepsDocument } from '../../generated/overview.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { checkOf } from './api-examples.ts'
import classes from './checklist.module.css'
import { type Found, firstSteps, type Step } from './first-steps.ts'
import { every, useWebhook } from './reads.ts'
import { StepRow } from './step-row.tsx'

/** For an organization without checks so far: what exists already, and links to create the rest. */
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
    <Section title="From nothing to the first check" description={`${done} of ${steps.length} done.`}>
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

/** The command for the first check, with what is really there. */
function FirstCheck({ feature = 'FEATURE', subscriberId = 'SUBSCRIBER' }: Props) {
  return <CodeBlock title="As curl" code={toCurl(window.location.origin, checkOf(subscriberId, feature))} />
}
