import { SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { formatNumber } from '../../../components/text/number.ts'
import { toFilter } from '../subscriber-filter.ts'
import type { Whom } from './use-bulk.ts'

const route = getRouteApi('/o/$organizationId/bulk')

const maxIds = 10_000

/** The subscribers of the list that led here, or those with pasted ids; null until there are any. */
export function WhomFields({ onChange }: { onChange(whom: Whom | null): void }) {
  const search = route.useSearch()
  const [source, setSource] = useState(toFilter(search) ? 'filter' : 'ids')
  const [text, setText] = useState('')
  const ids = toIds(text)

  useEffect(() => {
    if (source === 'filter') return onChange({ filter: toFilter(search) })
    const pasted = toIds(text)
    onChange(pasted.length > 0 && pasted.length <= maxIds ? { ids: pasted } : null)
  }, [source, text, search, onChange])

  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label="Whom"
        data={[
          { value: 'filter', label: toFilter(search) ? 'The filtered list' : 'All subscribers' },
          { value: 'ids', label: 'A list of ids' },
        ]}
        value={source}
        onChange={setSource}
      />
      {source === 'filter' ? (
        <Text>{describeFilter(search)}</Text>
      ) : (
        <Textarea
          label="Ids"
          description="One on each line, or with commas between them, as you copy them from a spreadsheet."
          autosize
          minRows={3}
          maxRows={12}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          error={ids.length > maxIds && `At most ${formatNumber(maxIds)} ids. Import a file instead.`}
        />
      )}
    </Stack>
  )
}

/** Each once. */
function toIds(text: string): string[] {
  return [...new Set(text.split(/[\n,;\t]/).map((id) => id.trim()))].filter((id) => id !== '')
}

type Search = Parameters<typeof toFilter>[0]

function describeFilter({ q, plan, without_plan, with_override_of, without_override_of }: Search): string {
  const parts = [
    plan !== undefined && `on the plan ${plan}`,
    without_plan && 'without a plan',
    with_override_of !== undefined && `with an override of ${with_override_of}`,
    without_override_of !== undefined && `without an override of ${without_override_of}`,
    q?.trim() && `that match “${q.trim()}”`,
  ].filter(Boolean)
  return parts.length === 0 ? 'Every subscriber of the organization.' : `The subscribers ${parts.join(', ')}.`
}
