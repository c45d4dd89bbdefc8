import { ExportButton } from '../../components/export/export-button.tsx'
import type { ExportRow } from '../../components/export/export-file.ts'
import { exportFileName } from '../../components/export/file-name.ts'
import {
  SubscriberExportDocument,
  type SubscriberExportQuery,
  type SubscriberFilter,
} from '../../generated/subscribers.ts'
import { usePlanChoices } from './use-plan-choices.ts'

type Subscriber = NonNullable<SubscriberExportQuery['subscribers']>['nodes'][number]

const columns = ['subscriber_id', 'name', 'plan_id', 'created_at', 'updated_at']

/**
 * Exports the subscribers that match the filter, as `GET /org/subscribers` returns them. The CSV file has the names of plans,
 * too.
 */
export function SubscriberExport({ filter }: { filter: SubscriberFilter | null }) {
  const plans = new Map(usePlanChoices()?.map(({ key, name }) => [key, name]))
  const { planId, withoutPlan, withOverrideOf, text } = filter ?? {}
  const words = [planId, withoutPlan && 'without plan', withOverrideOf && `override of ${withOverrideOf}`, text]
  return (
    <ExportButton
      name={exportFileName(['subscribers', ...words.map((word) => word || null)], new Date())}
      noun="subscribers"
      document={SubscriberExportDocument}
      variables={{ filter }}
      find={({ subscribers }) => subscribers}
      columns={columns}
      toRow={toRow}
      namedColumns={['plan_name']}
      toNames={({ activeSubscription }) => ({ plan_name: plans.get(activeSubscription?.planId ?? '') })}
    />
  )
}

function toRow({ subscriberId, name, activeSubscription, createdAt, updatedAt }: Subscriber): ExportRow {
  const planId = activeSubscription?.planId ?? null
  return { subscriber_id: subscriberId, name, plan_id: planId, created_at: createdAt, updated_at: updatedAt }
}
