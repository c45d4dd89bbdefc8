import { Text } from '@mantine/core'
import { useRef } from 'react'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { KeyInput } from '../../../components/form/key-input.tsx'
import { ServerForm } from '../../../components/form/server-form.tsx'
import { useServerForm } from '../../../components/form/use-server-form.ts'
import { CreateSubscriberDocument, CreateSubscriptionDocument } from '../../../generated/subscribers.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import { type FirstStepsAnswer, findGrantingPlan } from '../first-steps.ts'

/** Creates a subscriber on the plan, or moves the existing one to it. */
export function SubscriberStep({ first }: { first: FirstStepsAnswer }) {
  const write = useOrganizationWrite()
  const plan = findGrantingPlan(first)
  const known = first.subscribers.nodes.find(({ activeSubscription }) => activeSubscription === null)?.subscriberId
  // If the subscriber was created but the plan was refused, the next attempt only sets the plan.
  const added = useRef(known)
  const state = useServerForm({
    initialValues: { subscriberId: known ?? '' },
    async submit({ subscriberId }) {
      if (added.current !== subscriberId) await write(CreateSubscriberDocument, { input: { subscriberId } })
      added.current = subscriberId
      if (plan) await write(CreateSubscriptionDocument, { input: { subscriberId, planId: plan.key } })
      toastDone(`${subscriberId} is on “${plan?.name}”.`)
    },
  })
  if (!plan) return <Text c="dimmed">First comes a plan that grants something.</Text>
  return (
    <ServerForm state={state} action={`Add to “${plan.name}”`}>
      <KeyInput
        label="Id"
        description="The customer’s id in your product. It never changes."
        {...state.form.getInputProps('subscriberId')}
      />
    </ServerForm>
  )
}
