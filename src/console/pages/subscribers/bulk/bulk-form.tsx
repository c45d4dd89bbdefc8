import { Button, Group, NativeSelect, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { expiryIn } from '../../../components/form/expiry.ts'
import { ExpiryInput } from '../../../components/form/expiry-input.tsx'
import { StartInput } from '../../../components/form/start-input.tsx'
import { ValueInput } from '../../../components/form/value-input.tsx'
import { parseValueText } from '../../../components/form/value-text.ts'
import { Section } from '../../../components/page/section.tsx'
import { toFilter } from '../subscriber-filter.ts'
import type { BulkChange, Catalog } from './bulk-change.ts'
import type { Whom } from './use-bulk.ts'

const route = getRouteApi('/o/$organizationId/bulk')

/** Stands for no plan. */
const noPlan = '*none'
const usualDays = 14
const maxIds = 10_000

type Props = { catalog: Catalog; onCheck(whom: Whom, change: BulkChange): void }

export function BulkForm({ catalog: { features, plans }, onCheck }: Props) {
  const search = route.useSearch()
  const filter = toFilter(search)
  const [source, setSource] = useState(filter ? 'filter' : 'ids')
  const [text, setText] = useState('')
  const [type, setType] = useState<BulkChange['type']>('give')
  const [key, setKey] = useState('')
  const [value, setValue] = useState('')
  const [startsAt, setStartsAt] = useState<string | null>(null)
  const [expiresAt, setExpiresAt] = useState(() => expiryIn(usualDays, new Date()) as string | null)
  const [note, setNote] = useState('')
  const [plan, setPlan] = useState('')

  const ids = toIds(text)
  const feature = features.find((each) => each.key === key)
  const parsed = feature && parseValueText(feature, value)
  const change = toChange()
  const whom: Whom | null = source === 'filter' ? { filter } : ids.length > 0 && ids.length <= maxIds ? { ids } : null

  function toChange(): BulkChange | null {
    if (type === 'plan') return plan === '' ? null : { type, planKey: plan === noPlan ? null : plan }
    if (!feature) return null
    if (type === 'end') return { type, feature: feature.key }
    return parsed && 'value' in parsed
      ? { type, feature: feature.key, value: parsed.value, startsAt, expiresAt, note }
      : null
  }

  function chooseFeature(chosen: string): void {
    const found = features.find((each) => each.key === chosen)
    setKey(chosen)
    setValue(found?.kind === 'FLAG' ? 'on' : (found?.options?.[0] ?? ''))
  }

  return (
    <Stack gap="lg">
      <Section title="Whom">
        <Stack gap="sm">
          <SegmentedControl
            aria-label="Whom"
            data={[
              { value: 'filter', label: filter ? 'The filtered list' : 'All subscribers' },
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
              error={ids.length > maxIds && `At most ${maxIds.toLocaleString('en-US')} ids; import a file instead.`}
            />
          )}
        </Stack>
      </Section>
      <Section title="What">
        <Stack gap="sm">
          <SegmentedControl
            aria-label="What"
            data={[
              { value: 'give', label: 'Give an override' },
              { value: 'end', label: 'Remove an override' },
              { value: 'plan', label: 'Change the plan' },
            ]}
            value={type}
            onChange={(chosen) => setType(chosen as BulkChange['type'])}
          />
          {type === 'plan' ? (
            <NativeSelect
              label="New plan"
              value={plan}
              onChange={({ currentTarget }) => setPlan(currentTarget.value)}
              data={[
                { value: '', label: 'Choose…' },
                ...plans.filter(({ archivedAt }) => archivedAt === null).map(toChoice),
                { value: noPlan, label: 'No plan: cancel the subscriptions' },
              ]}
            />
          ) : (
            <NativeSelect
              label="Feature"
              value={key}
              onChange={({ currentTarget }) => chooseFeature(currentTarget.value)}
              data={[{ value: '', label: 'Choose…' }, ...features.map(toChoice)]}
            />
          )}
          {type === 'give' && feature && (
            <>
              <ValueInput feature={feature} label="Value" value={value} onChange={setValue} />
              <StartInput value={startsAt} onChange={setStartsAt} />
              <ExpiryInput value={expiresAt} from={startsAt} onChange={setExpiresAt} />
              <Textarea
                label="Note"
                description="The reason, or a link to a ticket."
                autosize
                minRows={1}
                value={note}
                onChange={({ currentTarget }) => setNote(currentTarget.value)}
              />
            </>
          )}
        </Stack>
      </Section>
      <Group>
        <Button disabled={!change || !whom} onClick={() => change && whom && onCheck(whom, change)}>
          Check whom it reaches
        </Button>
      </Group>
    </Stack>
  )
}

function toChoice({ key, name }: { key: string; name: string }) {
  return { value: key, label: name === key ? key : `${name} (${key})` }
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
