import { Anchor, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { createRefusedRowsWriter, type FileLayout } from '../../../../core/import-file/refused-rows.ts'
import type { Row } from '../../../../core/import-file/row.ts'
import { withEnglishQuotes } from '../../../api/quotes.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import type { LineError, Tally } from '../../../components/import/run-import.ts'
import { Section } from '../../../components/page/section.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { KeyText } from '../../../components/text/key-text.tsx'

const shownErrors = 100

type Props = {
  tally: Tally
  isDone: boolean
  rows: readonly Row[]
  look: FileLayout
}

/** Shows the outcome of the import or, after a dry run, the expected outcome. */
export function ImportOutcome({ tally, isDone, rows, look }: Props) {
  const { created, updated, unchanged, failed, errors } = tally
  const toBePrefix = isDone ? '' : 'to be '
  return (
    <Section title={isDone ? 'Result' : 'Check'}>
      <Text role="status">
        {`${created} ${toBePrefix}created, ${updated} ${toBePrefix}changed, ${unchanged} unchanged, ${failed} refused`}
      </Text>
      {errors.length > 0 && <RefusedLines errors={errors} failed={failed} rows={rows} look={look} />}
      {!isDone && created + updated + failed === 0 && (
        <EmptyState title="Nothing to import">All subscribers are up to date.</EmptyState>
      )}
    </Section>
  )
}

type RefusedProps = Pick<Props, 'rows' | 'look'> & { errors: readonly LineError[]; failed: number }

function RefusedLines({ errors, failed, rows, look }: RefusedProps) {
  const file = useRefusedRowsUrl(errors, rows, look)
  return (
    <>
      <Text mt="sm" mb="xs">
        Refused lines change nothing.{' '}
        <Anchor underline="always" href={file} download={look.header ? 'refused.csv' : 'refused.ndjson'}>
          Download them
        </Anchor>
        , each with its error: correct them there, and import that file.
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

/**
 * The URL of a file with the refused lines, in the format of the imported file. It is a blob URL, because a data URL could be
 * too long.
 */
function useRefusedRowsUrl(errors: readonly LineError[], rows: readonly Row[], layout: FileLayout): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const byNumber = new Map(rows.map((row) => [row.number, row]))
    const { top, toText } = createRefusedRowsWriter(layout)
    const lines = errors.map(({ line, message }) => toText(byNumber.get(line) ?? { original: '' }, message))
    const type = layout.header ? 'text/csv' : 'application/x-ndjson'
    const made = URL.createObjectURL(new Blob([top, ...lines], { type }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [errors, rows, layout])
  return url
}
