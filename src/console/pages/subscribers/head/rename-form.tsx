import { EditForm } from '../../../components/form/edit-form.tsx'
import { toFormValues } from '../../../components/form/fields.tsx'
import { UpdateSubscriberDocument } from '../../../generated/subscribers.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import { updateSubscriberExample } from '../api-examples.ts'
import { type Subscriber, subscriberFields } from '../subscriber.ts'

export function RenameForm({ subscriber, onClose }: { subscriber: Subscriber; onClose(): void }) {
  const { subscriberId, updatedAt } = subscriber
  const write = useOrganizationWrite()
  return (
    <EditForm
      fields={subscriberFields}
      values={toFormValues(subscriberFields, subscriber)}
      version={updatedAt}
      draft={`rename ${subscriberId}`}
      action="Rename"
      save={async (changes, expectedUpdatedAt) => {
        const input = { subscriberId, ...changes, expectedUpdatedAt }
        return (await write(UpdateSubscriberDocument, { input })).updateSubscriber
      }}
      done={() => `Subscriber ${subscriberId} was renamed.`}
      example={(changes) => updateSubscriberExample(subscriberId, changes)}
      onClose={onClose}
    />
  )
}
