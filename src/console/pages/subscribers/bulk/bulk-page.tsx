import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { sortByPosition, sortPlans } from '../../../components/order/by-position.ts'
import { BackLink } from '../../../components/page/back-link.tsx'
import { PageHeader } from '../../../components/page/page-header.tsx'
import { formatNumber } from '../../../components/text/number.ts'
import { ReadOnlyNotice } from '../../../frame/read-only-notice.tsx'
import { BulkCatalogDocument } from '../../../generated/bulk.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'
import type { Catalog } from './bulk-change.ts'
import { BulkForm } from './bulk-form.tsx'
import { BulkReach } from './bulk-reach.tsx'
import { useBulk } from './use-bulk.ts'

const route = getRouteApi('/o/$organizationId/bulk')

export function BulkPage() {
  const { organizationId } = route.useParams()
  const mayWrite = useMay('subscribers:write')
  return (
    <>
      <PageHeader
        title="Change many subscribers"
        description="You see whom a change reaches, and what each would lose, before anything is changed."
        above={
          <BackLink to="/o/$organizationId/subscribers" params={{ organizationId }}>
            Subscribers
          </BackLink>
        }
      />
      {mayWrite ? <WithCatalog /> : <ReadOnlyNotice label="subscribers:write" what="change subscribers" />}
    </>
  )
}

function WithCatalog() {
  return (
    <Loaded query={useOrganizationQuery(BulkCatalogDocument, {})} skeleton={null}>
      {({ features, plans }) => <Bulk catalog={{ features: sortByPosition(features), plans: sortPlans(plans) }} />}
    </Loaded>
  )
}

function Bulk({ catalog }: { catalog: Catalog }) {
  const bulk = useBulk()
  const { step, change, reached, tally, error } = bulk
  const isBusy = step === 'reading' || step === 'running' || step === 'undoing'
  const count = describeSubscribers(reached.length)
  return (
    <Stack gap="md">
      {/* Hidden, not removed, so that typed text is kept. */}
      <div hidden={step !== 'form'}>
        <BulkForm catalog={catalog} onCheck={(whom, chosen) => void bulk.check(whom, chosen)} />
      </div>
      {error && <ErrorPanel error={error} />}
      {isBusy && (
        <>
          <Progress
            aria-label={progressWords[step]}
            value={step === 'reading' && tally.lines === 0 ? 5 : (tally.lines / Math.max(1, reached.length)) * 100}
          />
          <Group justify="space-between">
            <Text role="status">
              {step === 'reading' && tally.lines === 0
                ? `${count} found so far`
                : `${progressWords[step]}: ${tally.lines} of ${count}`}
            </Text>
            <Button variant="default" onClick={bulk.stop}>
              Stop
            </Button>
          </Group>
        </>
      )}
      {change && !isBusy && step !== 'form' && <BulkReach {...bulk} change={change} catalog={catalog} />}
      {step === 'checked' && (
        <Group>
          <Button disabled={reached.length === tally.failed} onClick={() => void bulk.apply()}>
            {`Apply to ${describeSubscribers(reached.length - tally.failed)}`}
          </Button>
          <Button variant="default" onClick={bulk.edit}>
            Back
          </Button>
        </Group>
      )}
      {step === 'done' && (
        <Group>
          <Button variant="default" onClick={() => void bulk.undo()}>
            Undo for all of them
          </Button>
          <Button variant="default" onClick={bulk.edit}>
            Make another change
          </Button>
        </Group>
      )}
      {step === 'undone' && (
        <Group>
          <Button variant="default" onClick={bulk.edit}>
            Make another change
          </Button>
        </Group>
      )}
    </Stack>
  )
}

const progressWords = { reading: 'Checked', running: 'Changed', undoing: 'Undone' } as const

function describeSubscribers(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? 'subscriber' : 'subscribers'}`
}
