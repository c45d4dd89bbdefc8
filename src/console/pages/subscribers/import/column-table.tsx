import { Button, Group, NativeSelect, Text } from '@mantine/core'
import {
  findMappingFault,
  type Mapping,
  nameOf,
  overrideFields,
  toField,
} from '../../../../core/import-file/mapping.ts'
import { Section } from '../../../components/page/section.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import type { CsvTable } from './csv-table.ts'
import { delimiters } from './delimiters.ts'

const shownRows = 3
const maxShownLength = 40

type NamedFeature = { key: string; name: string }

type Props = {
  table: CsvTable
  mapping: Mapping
  features: readonly NamedFeature[]
  onMapping(mapping: Mapping): void
  onDelimiter(delimiter: string): void
  onCheck(): void
}

/** Lets the person map columns to fields, and shows the first rows beside them. */
export function ColumnTable({ table, mapping, features, onMapping, onDelimiter, onCheck }: Props) {
  const problem = describeProblem(mapping, table.header)
  const choices = choicesOf(mapping, features)
  const fieldOf = (column: string) => mapping.find((each) => each.column === column)
  const choose = (column: string, name: string) => {
    const field = toField(name)
    const others = mapping.filter((each) => each.column !== column && nameOf(each.field) !== name)
    onMapping(field ? [...others, { field, column }] : others)
  }
  const examples = table.records.slice(0, shownRows)
  return (
    <Section
      title="Columns"
      description="Say what each column is. Columns that are not imported change nothing, and neither do empty cells."
    >
      <DataTable
        label="Columns"
        rows={table.header.map((column, index) => ({ column, index }))}
        rowKey={({ index }) => String(index)}
        columns={[
          { title: 'Column', render: ({ column, index }) => column || `Column ${index + 1}, without a name` },
          {
            title: 'Is',
            render: ({ column }) => (
              <NativeSelect
                aria-label={`What “${column}” is`}
                data={choices}
                disabled={column === ''}
                value={mappedFieldName(fieldOf(column))}
                onChange={({ currentTarget }) => choose(column, currentTarget.value)}
              />
            ),
          },
          ...examples.map(({ record, info }) => ({
            title: `Line ${info.lines + table.skipped}`,
            render: ({ index }: { index: number }) => shorten(record[index] ?? ''),
          })),
        ]}
      />
      <Group mt="md" align="end" justify="space-between">
        <NativeSelect
          label="Cells are separated by"
          data={delimiterChoices(table.delimiter)}
          value={table.delimiter}
          onChange={({ currentTarget }) => onDelimiter(currentTarget.value)}
        />
        <Button disabled={problem !== null} onClick={onCheck}>
          {`Check ${table.records.length} ${table.records.length === 1 ? 'row' : 'rows'}`}
        </Button>
      </Group>
      {problem && (
        <Text mt="xs" role="status">
          {problem}
        </Text>
      )}
    </Section>
  )
}

function describeProblem(mapping: Mapping, header: readonly string[]): string | null {
  const fault = findMappingFault(mapping, header)
  switch (fault?.type) {
    case undefined:
      return null
    case 'no id':
      return 'Choose the column with the subscribers’ ids.'
    case 'no value':
      return `Choose the column with the value of ${fault.value}, which “${fault.part}” belongs to.`
    case 'no column':
    case 'two columns':
      return `Two columns are called “${fault.column}”. Rename one of them in the file, or do not import them.`
  }
}

function choicesOf(mapping: Mapping, features: readonly NamedFeature[]) {
  const overrides = features.map(({ key, name }) => ({ value: `overrides.${key}`, label: name }))
  const known = new Set(overrides.map(({ value }) => value))
  // Exported files also have columns for parts of an override, such as its end. They are recognized by their names.
  const named = mapping
    .map(({ field }) => nameOf(field))
    .filter((name) => name.startsWith('overrides.') && !known.has(name))
  return [
    { value: '', label: 'Not imported' },
    {
      group: 'Subscriber',
      items: [
        { value: 'subscriber_id', label: 'Id' },
        { value: 'name', label: 'Name' },
        { value: 'plan_id', label: 'Plan (its key)' },
      ],
    },
    { group: 'Override of', items: [...overrides, ...named.map((value) => ({ value, label: value }))] },
    { group: 'All overrides of the row', items: overrideFields.map((value) => ({ value, label: partNames[value] })) },
  ]
}

const partNames: Record<(typeof overrideFields)[number], string> = {
  starts_at: 'Start',
  expires_at: 'End',
  note: 'Note',
}

function mappedFieldName(mapped: Mapping[number] | undefined): string {
  return mapped ? nameOf(mapped.field) : ''
}

function delimiterChoices(current: string) {
  const names: Record<string, string> = { ',': 'Commas', ';': 'Semicolons', '\t': 'Tabs' }
  const others = delimiters.some((each) => each === current) ? [] : [current]
  return [...delimiters, ...others].map((value) => ({ value, label: names[value] ?? value }))
}

function shorten(text: string): string {
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text
}
