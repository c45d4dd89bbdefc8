import { Button, Group, Menu, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useOrganizationId } from '../../session/organization-id.ts'
import { type PagedRead, readPages } from '../../session/read-pages.ts'
import { ErrorPanel } from '../feedback/error-panel.tsx'
import { toastDone } from '../feedback/toast.tsx'
import { formatNumber } from '../text/number.ts'
import { type ExportFormat, type ExportRow, mediaTypes, toHeader, toLines } from './export-file.ts'
import { saveFile } from './save-file.ts'

type Props<Result, Variables extends { after?: string | null | undefined }, Node> = PagedRead<
  Result,
  Variables,
  Node
> & {
  /** The file's name without its extension. */
  name: string
  /** The plural noun for the rows, such as "entries" or "subscribers". */
  noun: string
  columns: readonly string[]
  /** Converts a node to a row as the REST API writes it. */
  toRow(node: Node): ExportRow
  /** Additional columns at the end of a CSV file, with names for people. An NDJSON file does not have them. */
  namedColumns?: readonly string[]
  toNames?: (node: Node) => ExportRow
}

/**
 * Reads all pages of a list with the page's filters, and saves them as a file, for spreadsheets or for programs. Shows the
 * progress, and can be canceled.
 */
export function ExportButton<Result, Variables extends { after?: string | null | undefined }, Node>({
  name,
  noun,
  columns,
  toRow,
  namedColumns = [],
  toNames,
  ...list
}: Props<Result, Variables, Node>) {
  const organizationId = useOrganizationId()
  const [read, setRead] = useState(0)
  const [isOpen, setOpen] = useState(false)
  const canceling = useRef(new AbortController())

  async function exportAll(format: ExportFormat): Promise<void> {
    const { signal } = canceling.current
    const all = [...columns, ...namedColumns]
    const toFileRow = (node: Node) => (format === 'csv' ? { ...toRow(node), ...toNames?.(node) } : toRow(node))
    const parts = [toHeader(format, all)]
    let rows = 0
    for await (const nodes of readPages(list, { organizationId, signal })) {
      parts.push(toLines(format, nodes.map(toFileRow), all))
      rows += nodes.length
      setRead(rows)
    }
    if (signal.aborted) return
    saveFile(`${name}.${format}`, new Blob(parts, { type: mediaTypes[format] }))
    toastDone(`${formatNumber(rows)} ${noun} exported.`)
    setOpen(false)
  }

  const { mutate, error, reset } = useMutation({ mutationFn: exportAll })

  function begin(format: ExportFormat): void {
    canceling.current = new AbortController()
    setRead(0)
    reset()
    setOpen(true)
    mutate(format)
  }

  function close(): void {
    canceling.current.abort()
    setOpen(false)
  }

  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">Export</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => begin('csv')}>CSV, for spreadsheets</Menu.Item>
          <Menu.Item onClick={() => begin('ndjson')}>NDJSON, for programs</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ExportProgress {...{ noun, read, error, isOpen, close }} />
    </>
  )
}

type ProgressProps = { noun: string; read: number; error: Error | null; isOpen: boolean; close(): void }

function ExportProgress({ noun, read, error, isOpen, close }: ProgressProps) {
  return (
    <Modal opened={isOpen} onClose={close} title={`Export ${noun}`}>
      <Stack>
        {error ? (
          <ErrorPanel error={error} />
        ) : (
          <Text role="status">
            {formatNumber(read)} {noun} read. The file is saved when all are there.
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {error ? 'Close' : 'Cancel'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
