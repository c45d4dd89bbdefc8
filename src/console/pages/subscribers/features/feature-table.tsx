import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { type Columns, DataTable } from '../../../components/table/data-table.tsx'
import { KeyText } from '../../../components/text/key-text.tsx'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { useMay } from '../../../session/viewer.ts'
import type { Loss } from '../history/losses.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import type { ExplainedFeature } from './explained.ts'
import { RowActions } from './row-actions.tsx'
import { ShownValue } from './shown-value.tsx'
import { Why } from './why.tsx'

type Props = { features: readonly ExplainedFeature[]; planName: string | null; losses: ReadonlyMap<string, Loss> }

/** Every feature with its value and reason. A row opens the feature beside the table. */
export function FeatureTable({ features, planName, losses }: Props) {
  const { subscriberId, search } = useSubscriberSearch()
  // Values as of another time cannot be changed.
  const mayOverride = useMay('overrides:write') && search.at === undefined
  if (features.length === 0) {
    return <EmptyState title="No feature matches">Change the filter to see more.</EmptyState>
  }
  return (
    <DataTable
      label="Features of this subscriber"
      rows={features}
      rowKey={({ key }) => key}
      columns={columnsOf(planName, losses)}
      to={({ key }) => ({
        to: '/o/$organizationId/subscribers/$subscriberId',
        params: { subscriberId },
        search: { ...search, feature: key },
        resetScroll: false,
      })}
      {...(mayOverride && { actions: (feature: ExplainedFeature) => <RowActions feature={feature} /> })}
    />
  )
}

function columnsOf(planName: string | null, losses: Props['losses']): Columns<ExplainedFeature> {
  return [
    { title: 'Feature', render: ({ name }) => shortenMiddle(name, 60), width: '26%' },
    { title: 'Key', render: ({ key }) => <KeyText value={key} max={24} />, width: '16%', card: 'below' },
    {
      title: 'Value',
      render: ({ entitlement }) => <ShownValue entitlement={entitlement} />,
      width: '14%',
      card: 'beside',
    },
    {
      title: 'Why',
      render: (feature) => <Why feature={feature} planName={planName} loss={losses.get(feature.key)} />,
      card: 'lines',
    },
  ]
}
