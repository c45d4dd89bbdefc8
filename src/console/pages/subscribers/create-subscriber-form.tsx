import { NativeSelect } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useFollowUp } from '../../components/delivery-status/use-follow-up.tsx'
import { toastDone } from '../../components/feedback/toast.tsx'
import { toChoice } from '../../components/form/choices.ts'
import { emptyValues, FieldInputs, toInput } from '../../components/form/fields.tsx'
import { KeyInput } from '../../components/form/key-input.tsx'
import { ServerForm } from '../../components/form/server-form.tsx'
import { useServerForm } from '../../components/form/use-server-form.ts'
import {
  CreateSubscriberDocument,
  CreateSubscriptionDocument,
  DeleteSubscriberDocument,
} from '../../generated/subscribers.ts'
import { useOrganizationId } from '../../session/organization-id.ts'
import { useOrganizationWrite } from '../../session/queries.ts'
import { createSubscriberExample } from './api-examples.ts'
import { subscriberFields } from './subscriber.ts'
import { usePlanChoices } from './use-plan-choices.ts'

const empty = { subscriberId: '', planId: '', ...emptyValues(subscriberFields) }

export function CreateSubscriberForm({ onClose }: { onClose(): void }) {
  const organizationId = useOrganizationId()
  const navigate = useNavigate()
  const plans = usePlanChoices() ?? []
  const write = useOrganizationWrite()
  const followUp = useFollowUp()
  // If only the plan was refused, the subscriber exists already: sending the form again continues with the plan.
  const addedSubscriberId = useRef<string | null>(null)
  const state = useServerForm({
    initialValues: empty,
    draft: 'create-subscriber',
    async submit({ subscriberId, planId, ...values }) {
      const input = { subscriberId, ...toInput(subscriberFields, values) }
      if (addedSubscriberId.current !== subscriberId) await write(CreateSubscriberDocument, { input })
      addedSubscriberId.current = subscriberId
      const detail = planId !== '' && (await followUp(subscriberId))
      if (planId !== '') await write(CreateSubscriptionDocument, { input: { subscriberId, planId } })
      const message = `Subscriber ${subscriberId} was added${planId && ` on plan ${planId}`}.`
      const remove = () => write(DeleteSubscriberDocument, { input: { subscriberId } })
      toastDone(message, remove, { detail })
      await navigate({
        to: '/o/$organizationId/subscribers/$subscriberId',
        params: { organizationId, subscriberId },
      })
    },
  })
  const { form } = state
  const { subscriberId, planId: _, ...typed } = form.values
  return (
    <ServerForm
      state={state}
      action="Add subscriber"
      onCancel={onClose}
      example={createSubscriberExample(subscriberId, toInput(subscriberFields, typed))}
    >
      <KeyInput
        label="Id"
        description="The customer’s id in your product. It never changes."
        data-autofocus
        {...form.getInputProps('subscriberId')}
      />
      <FieldInputs form={form} fields={subscriberFields} />
      <NativeSelect
        label="Plan"
        data={[
          { value: '', label: 'No plan yet' },
          ...plans.filter(({ archivedAt }) => archivedAt === null).map(toChoice),
        ]}
        {...form.getInputProps('planId')}
      />
    </ServerForm>
  )
}
