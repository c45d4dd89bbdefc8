import { ExportButton } from '../../components/export/export-button.tsx'
import type { ExportRow } from '../../components/export/export-file.ts'
import {
  SubscriberExportDocument,
  type SubscriberExportQuery,
  type SubscriberFilter,
} from '../../generated/subscribers.ts'

type Subscriber = NonNullable<SubscriberExportQuery['subscribers']>['nodes'][number]

const columns = ['subscriber_id', 'name', 'plan_id', 'created_at', 'updated_at']

/** The subscribers that the filter matches, as `GET /org/subscribers` exports them. */
export function SubscriberExport({ filter }: { filter: SubscriberFilter | null }) {
  return (
    <ExportButton
      name="subscribers"
      noun="subscribers"
      document={SubscriberExportDocument}
      variables={{ filter }}
      find={({ subscribers }) => subscribers}
      columns={columns}
      toRow={toRow}
    />
  )
}

function toRow({ subscriberId, name, activeSubscription, createdAt, updatedAt }: Subscriber): ExportRow {
  const planId = activeSubscription?.planId ?? null
  return { subscriber_id: subscriberId, name, plan_id: planId, created_at: createdAt, updated_at: updatedAt }
}
