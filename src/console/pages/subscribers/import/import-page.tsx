import { Button, Code, Group, Progress, Stack, Text } from '@mantine/core'
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx'
import { BackLink } from '../../../components/page/back-link.tsx'
import { PageHeader } from '../../../components/page/page-header.tsx'
import { ReadOnlyNotice } from '../../../frame/read-only-notice.tsx'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useMay } from '../../../session/viewer.ts'
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
  const { step, fileName, lines, tally, error, choose, start, stop } = useImport()
  const isBusy = step === 'checking' || step === 'running'
  const useful = tally.created + tally.updated
  const isWhole = tally.lines === lines.length
  return (
    <Stack gap="md">
      <Text c="dimmed">
        Each line describes one subscriber; fields that it leaves out stay as they are, and null cancels or deletes. For
        very large files, use <Code>npm run import</Code>.
      </Text>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {example}
      </Code>
      <DropZone fileName={fileName} disabled={isBusy} onFile={(file) => void choose(file)} />
      {isBusy && (
        <>
          <Progress
            aria-label={step === 'checking' ? 'Checking the file' : 'Importing'}
            value={(tally.lines / Math.max(1, lines.length)) * 100}
          />
          <Group justify="space-between">
            <Text role="status">
              {step === 'checking'
                ? `${tally.lines} of ${lines.length} lines checked`
                : `${tally.lines} of ${lines.length} lines imported. Leaving this page stops the import.`}
            </Text>
            <Button variant="default" onClick={stop}>
              Stop
            </Button>
          </Group>
        </>
      )}
      {error && <ErrorPanel error={error} />}
      {(step === 'checked' || step === 'done') && <ImportOutcome tally={tally} isDone={step === 'done'} />}
      {step === 'checked' && isWhole && !error && useful > 0 && (
        <Group>
          <Button onClick={() => void start()}>{`Import ${useful} of ${lines.length} lines`}</Button>
        </Group>
      )}
      {(step === 'checked' || step === 'done') && !isWhole && (
        <Text>
          {`Stopped after ${tally.lines} of ${lines.length} lines. `}
          {step === 'done' ? 'Import the file again to continue.' : 'Choose the file again to check all of it.'}
        </Text>
      )}
    </Stack>
  )
}
