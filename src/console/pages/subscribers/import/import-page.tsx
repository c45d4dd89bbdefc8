import { Button, Code, Group, Progress, Stack, Text } from '@mantine/core'
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { BackLink } from '../../../components/page/back-link.tsx'
import { PageHeader } from '../../../components/page/page-header.tsx'
import { ReadOnlyNotice } from '../../../frame/read-only-notice.tsx'
import { CatalogNamesDocument, type CatalogNamesQuery } from '../../../generated/explanation.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'
import { ColumnTable } from './column-table.tsx'
import { DropZone } from './drop-zone.tsx'
import { ImportOutcome } from './import-outcome.tsx'
import { useImport } from './use-import.ts'

const example =
  '{"subscriber_id":"acme","name":"Acme","plan_id":"pro","overrides":{"seats":{"kind":"limit","limit":50}}}'

export function ImportPage() {
  const organizationId = useOrganizationId()
  const mayWrite = useMay('subscribers:write')
  return (
    <>
      <PageHeader
        title="Import subscribers"
        description="Files are checked first; nothing changes until you import."
        above={
          <BackLink to="/o/$organizationId/subscribers" params={{ organizationId }}>
            Subscribers
          </BackLink>
        }
      />
      {mayWrite ? <Import /> : <ReadOnlyNotice label="subscribers:write" what="import subscribers" />}
    </>
  )
}

function Import() {
  return (
    <Loaded query={useOrganizationQuery(CatalogNamesDocument, {})} skeleton={null}>
      {({ features }) => <ImportFile features={features} />}
    </Loaded>
  )
}

function ImportFile({ features }: { features: NonNullable<CatalogNamesQuery['features']> }) {
  const { step, fileName, rows, tally, error, table, mapping, look, ...actions } = useImport(features)
  const isBusy = step === 'checking' || step === 'running'
  const importableCount = tally.created + tally.updated
  const isComplete = tally.lines === rows.length
  return (
    <Stack gap="md">
      <DropZone fileName={fileName} disabled={isBusy} onFile={(file) => void actions.choose(file)} />
      {step === 'empty' && <Formats />}
      {step === 'mapping' && table && (
        <ColumnTable
          table={table}
          mapping={mapping}
          features={features}
          onMapping={actions.map}
          onDelimiter={(delimiter) => void actions.separate(delimiter)}
          onCheck={() => void actions.check()}
        />
      )}
      {isBusy && (
        <>
          <Progress
            aria-label={step === 'checking' ? 'Checking the file' : 'Importing'}
            value={(tally.lines / Math.max(1, rows.length)) * 100}
          />
          <Group justify="space-between">
            <Text role="status">
              {step === 'checking'
                ? `${tally.lines} of ${rows.length} lines checked`
                : `${tally.lines} of ${rows.length} lines imported. Leaving this page stops the import.`}
            </Text>
            <Button variant="default" onClick={actions.stop}>
              Stop
            </Button>
          </Group>
        </>
      )}
      {error && <ErrorPanel error={error} />}
      {(step === 'checked' || step === 'done') && (
        <ImportOutcome tally={tally} isDone={step === 'done'} rows={rows} look={look} />
      )}
      {step === 'checked' && (
        <Group>
          {isComplete && !error && importableCount > 0 && (
            <Button onClick={() => void actions.start()}>{`Import ${importableCount} of ${rows.length} lines`}</Button>
          )}
          {table && (
            <Button variant="default" onClick={actions.changeColumns}>
              Change the columns
            </Button>
          )}
        </Group>
      )}
      {(step === 'checked' || step === 'done') && !isComplete && (
        <Text>
          {`Stopped after ${tally.lines} of ${rows.length} lines. `}
          {step === 'done' ? 'Import the file again to continue.' : 'Choose the file again to check all of it.'}
        </Text>
      )}
    </Stack>
  )
}

function Formats() {
  return (
    <>
      <Text c="dimmed">
        Each line describes one subscriber; what it leaves out stays as it is. In a CSV file, the first line names the
        columns; you say which is which before anything is imported. A file that was exported here can be imported as it
        is. For very large files, use <Code>npx @entitlements-service/cli import</Code>.
      </Text>
      <Text c="dimmed">
        In the other format, each line is an object, where null cancels a plan or deletes an override:
      </Text>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {example}
      </Code>
    </>
  )
}
