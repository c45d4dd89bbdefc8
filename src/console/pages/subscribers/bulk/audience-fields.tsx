import { SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { formatNumber } from '../../../components/text/number.ts'
import { toFilter } from '../subscriber-filter.ts'
import type { Audience } from './use-bulk.ts'

const maxIds = 10_000

type Search = Parameters<typeof toFilter>[0]

/** The chosen source of the subscribers, and the text with pasted ids. */
export type AudienceInput = { source: 'filter' | 'ids'; text: string }

/** The chosen subscribers; null if ids are to be pasted and there are none, or too many. */
export function toAudience({ source, text }: AudienceInput, search: Search): Audience | null {
  if (source === 'filter') return { filter: toFilter(search) }
  const ids = toIds(text)
  return ids.length > 0 && ids.length <= maxIds ? { ids } : null
}

type Props = { chosen: AudienceInput; search: Search; onChange(patch: Partial<AudienceInput>): void }

/** Chooses the subscribers of the list that led here, or those with pasted ids. */
export function AudienceFields({ chosen: { source, text }, search, onChange }: Props) {
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label="Whom"
        data={[
          { value: 'filter', label: toFilter(search) ? 'The filtered list' : 'All subscribers' },
          { value: 'ids', label: 'A list of ids' },
        ]}
        value={source}
        onChange={(value) => onChange({ source: value as AudienceInput['source'] })}
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
          onChange={({ currentTarget }) => onChange({ text: currentTarget.value })}
          error={toIds(text).length > maxIds && `At most ${formatNumber(maxIds)} ids. Import a file instead.`}
        />
      )}
    </Stack>
  )
}

/** The ids in the text, without duplicates. */
function toIds(text: string): string[] {
  return [...new Set(text.split(/[\n,;\t]/).map((id) => id.trim()))].filter((id) => id !== '')
}

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
