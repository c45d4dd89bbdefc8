import { Drawer, NativeSelect, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { toastDone } from '../../components/feedback/toast.tsx'
import { KeyInput } from '../../components/form/key-input.tsx'
import { ServerForm } from '../../components/form/server-form.tsx'
import { useServerForm } from '../../components/form/use-server-form.ts'
import { useFollowUp } from '../../components/heard/use-follow-up.tsx'
import {
  CreateSubscriberDocument,
  CreateSubscriptionDocument,
  DeleteSubscriberDocument,
} from '../../generated/subscribers.ts'
import { useOrganizationId } from '../../session/organization-id.ts'
import { useOrganizationMutation, writeLater } from '../../session/queries.ts'
import { createSubscriberExample } from './api-examples.ts'
import { usePlanChoices } from './use-plan-choices.ts'

const empty = { subscriberId: '', name: '', planId: '' }

export function CreateSubscriberDrawer({ opened, onClose }: { opened: boolean; onClose(): void }) {
  return (
    <Drawer opened={opened} onClose={onClose} title="Add subscriber" closeButtonProps={{ 'aria-label': 'Close' }}>
      <CreateSubscriberForm onClose={onClose} />
    </Drawer>
  )
}

function CreateSubscriberForm({ onClose }: { onClose(): void }) {
  const organizationId = useOrganizationId()
  const navigate = useNavigate()
  const plans = usePlanChoices() ?? []
  const create = useOrganizationMutation(CreateSubscriberDocument)
  const { followUp } = useFollowUp()
  const subscribe = useOrganizationMutation(CreateSubscriptionDocument)
  // If only the plan was refused, the subscriber exists already: sending the form again continues with the plan.
  const added = useRef<string | null>(null)
  const state = useServerForm({
    initialValues: empty,
    draft: 'create-subscriber',
    async submit({ subscriberId, name, planId }) {
      if (added.current !== subscriberId) await create.mutateAsync({ input: { subscriberId, name: name || null } })
      added.current = subscriberId
      const detail = planId !== '' && (await followUp(subscriberId))
      if (planId !== '') await subscribe.mutateAsync({ input: { subscriberId, planId } })
      const message = `Subscriber ${subscriberId} is added${planId && ` on plan ${planId}`}.`
      const remove = () => writeLater(organizationId, DeleteSubscriberDocument, { input: { subscriberId } })
      toastDone(message, remove, { detail })
      await navigate({
        to: '/o/$organizationId/subscribers/$subscriberId',
        params: { organizationId, subscriberId },
      })
    },
  })
  const { form } = state
  return (
    <ServerForm
      state={state}
      action="Add subscriber"
      onCancel={onClose}
      example={createSubscriberExample(form.values.subscriberId, form.values.name)}
    >
      <KeyInput
        label="Id"
        description="The customer's id in your product. It never changes."
        data-autofocus
        {...form.getInputProps('subscriberId')}
      />
      <TextInput label="Name" description="For people; may stay empty." {...form.getInputProps('name')} />
      <NativeSelect
        label="Plan"
        data={[
          { value: '', label: 'No plan yet' },
          ...plans
            .filter(({ archivedAt }) => archivedAt === null)
            .map(({ key, name }) => ({ value: key, label: name === key ? key : `${name} (${key})` })),
        ]}
        {...form.getInputProps('planId')}
      />
    </ServerForm>
  )
}
