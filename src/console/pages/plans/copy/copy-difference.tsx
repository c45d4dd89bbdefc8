import { Button, Checkbox, Group, Progress, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { describeImpossibleChange, hasDifferences } from '../../../../core/catalog/compare.ts'
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx'
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx'
import { Section } from '../../../components/page/section.tsx'
import { formatNumber } from '../../../components/text/number.ts'
import { plural } from '../count.ts'
import type { LoadedCatalog } from './catalog-of.ts'
import { ChangedObjects, isLoss } from './changed-objects.tsx'
import classes from './copy.module.css'
import { ObjectList } from './object-list.tsx'
import type { Organization } from './target-choice.tsx'
import { type CopyFailure, useCopy, useDifference } from './use-copy.ts'

type Props = { source: LoadedCatalog; target: LoadedCatalog; organization: Organization }

/** The changes, the button that writes them, and the result. */
export function CopyDifference({ source, target, organization }: Props) {
  const { organizationId, name, environment } = organization
  const [isPruning, setPruning] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const { difference, steps, refused, preview } = useDifference(source, target, organizationId, isPruning)
  const { state, stop, run, halt } = useCopy(organizationId)
  const { newFeatures, newPlans, extraFeatures, extraPlans, impossible } = difference
  const losses = difference.changedPlans.filter(({ before, grants }) =>
    grants.some((change) => isLoss(change, target.subscribers.get(before.key))),
  )
  const isExtra = extraFeatures.length + extraPlans.length > 0
  const where = environment ? `${name} (${environment.toLowerCase()})` : name
  const start = () => run(steps, target)

  if (state.step === 'running') return <Running {...state} onStop={halt} />
  return (
    <Stack gap="lg">
      {state.step === 'done' && (
        <Text role="status">
          {plural(state.total, 'change')} copied to {name}.{' '}
          <Link to="/o/$organizationId/plans" params={{ organizationId }}>
            Look at its plans
          </Link>
        </Text>
      )}
      {stop && <Stopped stop={stop} name={name} />}
      {!hasDifferences(difference) && <Text>{name} has the same features and plans.</Text>}
      {newFeatures.length + newPlans.length > 0 && (
        <Section title="New" description={`Created in ${name}.`}>
          <ObjectList features={newFeatures} plans={newPlans} />
        </Section>
      )}
      <ChangedObjects difference={difference} subscribers={target.subscribers} name={name} />
      {isExtra && (
        <Section title={`Only in ${name}`} description={isPruning ? 'Removed.' : 'These stay.'}>
          <ObjectList features={extraFeatures} plans={extraPlans} />
          <Checkbox
            mt="sm"
            label="Remove these too"
            description="A plan that somebody has, or had, is archived instead."
            checked={isPruning}
            onChange={(event) => setPruning(event.currentTarget.checked)}
          />
        </Section>
      )}
      <Obstacles texts={[...impossible.map(describeImpossibleChange), ...refused.map(describeRefused)]} />
      {preview.error && <ErrorPanel error={preview.error} retry={() => void preview.refetch()} />}
      {steps.length > 0 && (
        <Group>
          <Button
            disabled={impossible.length + refused.length > 0}
            loading={preview.isLoading}
            onClick={() => (environment === 'LIVE' || losses.length > 0 || isPruning ? setAsking(true) : void start())}
          >
            Copy {plural(steps.length, 'change')} to {where}
          </Button>
        </Group>
      )}
      <ConfirmDialog
        opened={isAsking}
        title={`Change ${where}?`}
        action={`Copy ${plural(steps.length, 'change')}`}
        onClose={() => setAsking(false)}
        onConfirm={async () => void start()}
      >
        <Text>
          {plural(steps.length, 'change')} to features and plans of {where}.{' '}
          {losses.length > 0 && `On ${plural(losses.length, 'plan')}, subscribers get less than before.`}
        </Text>
      </ConfirmDialog>
    </Stack>
  )
}

function Running({ done, total, onStop }: { done: number; total: number; onStop(): void }) {
  return (
    <>
      <Progress aria-label="Copying" value={(done / total) * 100} />
      <Group justify="space-between">
        <Text role="status">
          {formatNumber(done)} of {plural(total, 'change')} made. Leaving this page stops it.
        </Text>
        <Button variant="default" onClick={onStop}>
          Stop
        </Button>
      </Group>
    </>
  )
}

/** Shows why the copy stopped early, how far it got, and what to do next. The remaining difference is shown below. */
function Stopped({ stop: { error, object, isMeanwhile, done, total }, name }: { stop: CopyFailure; name: string }) {
  return (
    <div>
      <ErrorPanel error={error} />
      <Text mt="xs">
        {object && `It stopped at ${object}. `}
        {done} of {plural(total, 'change')} made.{' '}
        {isMeanwhile
          ? `Somebody else has changed ${name} meanwhile: below is what differs now. Look at it, then copy again.`
          : 'Below is what is left: solve the problem, then copy again.'}
      </Text>
    </div>
  )
}

function Obstacles({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <Section title="To solve first" description="Nothing can be copied before this is solved.">
      <ul className={classes.obstacles}>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Section>
  )
}

function describeRefused({ object, reason }: { object: string; reason: string }): string {
  return `${object}: ${reason}`
}
