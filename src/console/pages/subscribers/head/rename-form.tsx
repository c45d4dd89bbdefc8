import { EditForm } from '../../../components/form/edit-form.tsx'
import { emptyAsNull, valuesOf } from '../../../components/form/fields.tsx'
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
      values={valuesOf(subscriberFields, subscriber)}
      version={updatedAt}
      draft={`rename ${subscriberId}`}
      action="Rename"
      save={async (values, expectedUpdatedAt) => {
        const input = { subscriberId, ...emptyAsNull(values), expectedUpdatedAt }
        return (await write(UpdateSubscriberDocument, { input })).updateSubscriber
      }}
      done={() => `Subscriber ${subscriberId} is renamed.`}
      example={(values) => updateSubscriberExample(subscriberId, values)}
      onClose={onClose}
    />
  )
}
