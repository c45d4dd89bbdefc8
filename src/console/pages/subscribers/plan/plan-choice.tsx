import { Button, NativeSelect, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { isServerError } from '../../../api/errors.ts'
import { FormApiExample } from '../../../components/api/api-example-fold.tsx'
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx'
import { useIsSlow } from '../../../components/feedback/use-is-slow.ts'
import { toChoice } from '../../../components/form/choices.ts'
import { DrawerActions } from '../../../components/form/drawer-actions.tsx'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { refresh } from '../../../session/queries.ts'
import { movePlanExample } from '../api-examples.ts'
import type { ActiveSubscription, Subscriber } from '../subscriber.ts'
import { usePlanChoices } from '../use-plan-choices.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import { PlanPreview } from './plan-preview.tsx'
import { useMovePlan } from './use-move-plan.ts'

/** Stands for no plan, in the address and for the preview. */
const noPlan = 'none'

type Props = { subscriber: Subscriber; onClose(): void }

/** Lets the person choose another plan, or none; shows the effect before the change. */
export function PlanChoice({ subscriber: { subscriberId, activeSubscription }, onClose }: Props) {
  const organizationId = useOrganizationId()
  const { search, filter } = useSubscriberSearch()
  const plans = usePlanChoices()
  const { mutate, isPending, error } = useMutation({
    mutationFn: useMovePlan(subscriberId, activeSubscription),
    onSuccess: onClose,
    // Someone changed the plan: read it again, so that the page and the preview show it.
    onError(reason) {
      if (isServerError(reason, 'CONFLICT')) void refresh(organizationId)
    },
  })
  const isSlow = useIsSlow(isPending)
  const { to } = search
  const isCancel = to === noPlan
  const nameOf = (planKey: string) => plans?.find(({ key }) => key === planKey)?.name ?? planKey
  const choices = (plans ?? []).filter(
    ({ key, archivedAt }) => archivedAt === null && key !== activeSubscription?.planId,
  )
  // The address may name a plan that was deleted or archived, or the one that the subscriber has.
  const isOffered = isCancel ? activeSubscription !== null : choices.some(({ key }) => key === to)

  return (
    <Stack>
      <NativeSelect
        label={activeSubscription ? `New plan (now ${nameOf(activeSubscription.planId)})` : 'Plan'}
        data-autofocus
        value={to ?? ''}
        onChange={(event) => filter({ to: event.currentTarget.value || undefined })}
        data={[
          { value: '', label: 'Choose…' },
          ...choices.map(toChoice),
          ...(activeSubscription ? [{ value: noPlan, label: 'No plan: cancel the subscription' }] : []),
        ]}
      />
      {to !== undefined && isOffered && <PlanPreview subscriberId={subscriberId} planKey={to} />}
      {to !== undefined && !isOffered && plans && <Text>{describeUnavailablePlan(to, activeSubscription)}</Text>}
      {error && <ErrorPanel error={error} />}
      <DrawerActions>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        {to !== undefined && isOffered && (
          <Button
            color={isCancel ? 'red' : undefined}
            loading={isSlow}
            onClick={() => !isPending && mutate(isCancel ? null : to)}
          >
            {isCancel
              ? 'Cancel the subscription'
              : `${activeSubscription ? 'Change to' : 'Subscribe to'} ${nameOf(to)}`}
          </Button>
        )}
      </DrawerActions>
      {to !== undefined && isOffered && (
        <FormApiExample example={movePlanExample(subscriberId, activeSubscription?.id ?? null, isCancel ? null : to)} />
      )}
    </Stack>
  )
}

/** Why the plan in the address cannot be chosen. */
function describeUnavailablePlan(planKey: string, active: ActiveSubscription | null): string {
  if (planKey === noPlan) return 'There is no subscription to cancel.'
  if (planKey === active?.planId) return `The subscriber is on ${planKey}. Choose another plan.`
  return `Plan ${planKey} cannot be chosen: it was deleted or archived. Choose another one.`
}
