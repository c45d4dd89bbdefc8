import { Anchor, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { withEnglishQuotes } from '../../../api/quotes.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import type { LineError, Tally } from '../../../components/import/run-import.ts'
import { Section } from '../../../components/page/section.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { KeyText } from '../../../components/text/key-text.tsx'

const shownErrors = 100

/** The outcome of the lines; in a dry run, the expected one. */
export function ImportOutcome({ tally, isDone }: { tally: Tally; isDone: boolean }) {
  const { created, updated, unchanged, failed, errors } = tally
  const would = isDone ? '' : 'to be '
  return (
    <Section title={isDone ? 'Result' : 'Check'}>
      <Text role="status">
        {`${created} ${would}created, ${updated} ${would}changed, ${unchanged} unchanged, ${failed} refused`}
      </Text>
      {errors.length > 0 && <Refused errors={errors} failed={failed} />}
      {!isDone && created + updated + failed === 0 && (
        <EmptyState title="Nothing to import">All subscribers are up to date.</EmptyState>
      )}
    </Section>
  )
}

function Refused({ errors, failed }: { errors: readonly LineError[]; failed: number }) {
  const file = useFile(errors)
  return (
    <>
      <Text mt="sm" mb="xs">
        Refused lines change nothing.{' '}
        <Anchor underline="always" href={file} download="refused.ndjson">
          Download them
        </Anchor>
      </Text>
      <DataTable
        label="Refused lines"
        rows={errors.slice(0, shownErrors)}
        rowKey={({ line }) => String(line)}
        columns={[
          { title: 'Line', render: ({ line }) => line },
          { title: 'Subscriber', render: ({ subscriberId }) => subscriberId && <KeyText value={subscriberId} /> },
          { title: 'Why', render: ({ message }) => withEnglishQuotes(message) },
        ]}
      />
      {failed > shownErrors && <Text c="dimmed">{`and ${failed - shownErrors} more`}</Text>}
    </>
  )
}

/** The URL of a file with the errors, one JSON object per line. A data URL could be too long. */
function useFile(errors: readonly LineError[]): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const text = errors.map((error) => `${JSON.stringify(error)}\n`).join('')
    const made = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [errors])
  return url
}
