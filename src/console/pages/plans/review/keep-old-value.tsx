import { Progress as Bar, Button, Group, Modal, Skeleton, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { serverNow } from '../../../api/server-clock.ts'
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { ExpiryInput } from '../../../components/form/expiry-input.tsx'
import { describeValue } from '../../../components/text/describe-value.ts'
import { EntitlementValue } from '../../../components/text/entitlement-value.tsx'
import { type Count, formatNumber } from '../../../components/text/number.ts'
import { toValue, type Value } from '../../../components/text/value.ts'
import { ScheduledOverridesOfFeatureDocument, type ScheduledOverridesOfPlanFragment } from '../../../generated/plans.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'
import { describeSubscribers, plural } from '../count.ts'
import type { Plan } from '../plan.ts'
import { type KeepResult, keepOldValueForAll, type Progress } from './keep-old-value-for-all.ts'
import { type Change, reachOf } from './reach.ts'

type Props = { plan: Plan; change: Change; subscribers: Count }

/** Offers to override the feature with its old value for the affected subscribers. */
export function KeepOldValue({ plan, change, subscribers }: Props) {
  const [isOpen, setOpen] = useState(false)
  const mayWrite = useMay('subscribers:write')
  const { affected } = reachOf(subscribers, change)
  const close = () => setOpen(false)
  if (!mayWrite || !change.from || (affected?.isExact && affected.value === 0)) return null
  return (
    <>
      {' '}
      <Button size="compact-xs" variant="default" onClick={() => setOpen(true)}>
        Keep the old value for these…
      </Button>
      <Modal opened={isOpen} onClose={close} title="Keep the old value" size="md">
        <KeepForm
          plan={plan}
          feature={change.feature}
          value={toValue(change.from)}
          affected={affected}
          onClose={close}
        />
      </Modal>
    </>
  )
}

type FormProps = { plan: Plan; feature: string; value: Value; affected: Count | null; onClose(): void }

function KeepForm({ plan, feature, value, affected, onClose }: FormProps) {
  const organizationId = useOrganizationId()
  const [note, setNote] = useState(`Keeps what plan ${plan.name} granted before: ${describeValue(value)}.`)
  const [expiresAt, setExpiresAt] = useState<string | null>(null)
  const [progress, setProgress] = useState<Progress | null>(null)
  const stop = useRef(new AbortController())
  useEffect(() => {
    stop.current = new AbortController()
    // Stop when the form closes, because nobody would see the remaining progress.
    return () => stop.current.abort()
  }, [])
  const { mutate, isPending, error } = useMutation({ mutationFn: keep, onSettled: () => setProgress(null) })

  async function keep(): Promise<void> {
    const options = { value, note, expiresAt, signal: stop.current.signal, onProgress: setProgress }
    const kept = await keepOldValueForAll({ organizationId, planKey: plan.key, feature }, options)
    if (kept.created + kept.updated > 0) toastDone(describeKept(kept, feature), kept.undo)
    else if (kept.leftOut > 0 && !options.signal.aborted) toastDone(describeKept(kept, feature))
    if (kept.error) throw kept.error
    if (kept.errors[0]) throw new Error(`${plural(kept.failed, 'subscriber')} refused. ${kept.errors[0].message}`)
    onClose()
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!isPending) mutate()
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        <Affected planKey={plan.key} feature={feature} affected={affected}>
          of {plan.name} without an override of <code>{feature}</code> get one with <EntitlementValue {...value} />, at
          once and whatever the plan grants later.
        </Affected>
        <Textarea
          label="Note"
          description="The reason, or a link to a ticket."
          autosize
          minRows={1}
          maxLength={500}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          data-autofocus
        />
        <ExpiryInput value={expiresAt} onChange={setExpiresAt} />
        {error && <ErrorPanel error={error} />}
        {progress && <KeepProgress progress={progress} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={isPending ? () => stop.current.abort() : onClose}>
            {isPending ? 'Stop' : 'Cancel'}
          </Button>
          <Button type="submit" disabled={isPending}>
            Override for them
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

type AffectedProps = { planKey: string; feature: string; affected: Count | null; children: ReactNode }

/** How many subscribers get an override, without those who are left out, and a sentence about the latter. */
function Affected({ planKey, feature, affected, children }: AffectedProps) {
  const [expiresAfter] = useState(() => serverNow().toISOString())
  const { data, isPending } = useOrganizationQuery(ScheduledOverridesOfFeatureDocument, { feature, expiresAfter })
  if (isPending) return <Skeleton height={44} />
  const leftOut = data ? countScheduled([data.ending, data.permanent], planKey) : null
  return (
    <Text>
      {describeAffected(affected, leftOut)} {children}
      {leftOut === null
        ? ' Those whose override starts later are left out, and keep it.'
        : leftOut > 0 &&
          ` ${plural(leftOut, 'subscriber')} whose override starts later ${leftOut === 1 ? 'is' : 'are'} left out.`}
    </Text>
  )
}

function describeAffected(affected: Count | null, leftOut: number | null): string {
  if (affected === null) return 'All subscribers'
  if (leftOut !== null) return describeSubscribers({ ...affected, value: affected.value - leftOut })
  return affected.isExact ? `At most ${describeSubscribers(affected)}` : describeSubscribers(affected)
}

/** Counts the subscribers of the plan whose override starts later; null if there are more overrides than were read. */
function countScheduled(
  lists: readonly (ScheduledOverridesOfPlanFragment | null | undefined)[],
  planKey: string,
): number | null {
  if (!lists.every((list) => list?.pageInfo.hasNextPage === false)) return null
  const overrides = lists.flatMap((list) => list?.nodes ?? [])
  return overrides.filter((each) => each.startsAt && each.subscriber?.activeSubscription?.planId === planKey).length
}

function KeepProgress({ progress: { found, done, isReading } }: { progress: Progress }) {
  return (
    <>
      <Bar aria-label="Overriding" value={isReading ? 0 : (done / Math.max(1, found)) * 100} />
      <Text role="status">
        {isReading
          ? `${formatNumber(found)} subscribers found`
          : `${formatNumber(done)} of ${formatNumber(found)} subscribers overridden`}
      </Text>
    </>
  )
}

function describeKept({ created, updated, leftOut }: KeepResult, feature: string): string {
  const made = created + updated
  const count = made === 0 ? 'No override' : plural(made, 'override')
  const rest = leftOut === 0 ? '' : ` ${plural(leftOut, 'subscriber')} left out, whose override starts later.`
  return `${count} of ${feature} made.${rest}`
}
