import { NativeSelect, SegmentedControl, Stack, Textarea } from '@mantine/core'
import { toChoice } from '../../../components/form/choices.ts'
import { type Expiry, expiryIn, moveEnd } from '../../../components/form/expiry.ts'
import { ExpiryInput } from '../../../components/form/expiry-input.tsx'
import { StartInput } from '../../../components/form/start-input.tsx'
import { ValueInput } from '../../../components/form/value-input.tsx'
import { parseValueText } from '../../../components/form/value-text.ts'
import type { BulkChange, Catalog } from './bulk-change.ts'

/** The current choices, with the value as text. */
export type ChangeInput = {
  type: BulkChange['type']
  feature: string
  value: string
  startsAt: Expiry
  expiresAt: Expiry
  note: string
  plan: string
}

/** Stands for no plan. */
const noPlan = '*none'
const defaultDays = 14

export function defaultChange(): ChangeInput {
  const expiresAt = expiryIn(defaultDays, new Date())
  return { type: 'give', feature: '', value: '', startsAt: null, expiresAt, note: '', plan: '' }
}

/** The chosen change; null until all fields are filled in. */
export function toChange(
  { type, feature: key, value, plan, ...rest }: ChangeInput,
  { features }: Catalog,
): BulkChange | null {
  if (type === 'plan') return plan === '' ? null : { type, planKey: plan === noPlan ? null : plan }
  const feature = features.find((each) => each.key === key)
  if (!feature) return null
  if (type === 'end') return { type, feature: key }
  const parsed = parseValueText(feature, value)
  return 'value' in parsed ? { type, feature: key, value: parsed.value, ...rest } : null
}

type Props = { what: ChangeInput; catalog: Catalog; onChange(patch: Partial<ChangeInput>): void }

export function ChangeFields({ what, catalog: { features, plans }, onChange }: Props) {
  const { type, plan } = what
  const chosen = features.find(({ key }) => key === what.feature)

  function choose(key: string): void {
    const feature = features.find((each) => each.key === key)
    onChange({ feature: key, value: feature?.kind === 'FLAG' ? 'on' : (feature?.options?.[0] ?? '') })
  }

  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label="What"
        data={[
          { value: 'give', label: 'Give an override' },
          { value: 'end', label: 'Remove an override' },
          { value: 'plan', label: 'Change the plan' },
        ]}
        value={type}
        onChange={(value) => onChange({ type: value as BulkChange['type'] })}
      />
      {type === 'plan' ? (
        <NativeSelect
          label="New plan"
          value={plan}
          onChange={({ currentTarget }) => onChange({ plan: currentTarget.value })}
          data={[
            { value: '', label: 'Choose…' },
            ...plans.filter(({ archivedAt }) => archivedAt === null).map(toChoice),
            { value: noPlan, label: 'No plan: cancel the subscriptions' },
          ]}
        />
      ) : (
        <NativeSelect
          label="Feature"
          value={what.feature}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
          data={[{ value: '', label: 'Choose…' }, ...features.map(toChoice)]}
        />
      )}
      {type === 'give' && chosen && <OverrideFields feature={chosen} what={what} onChange={onChange} />}
    </Stack>
  )
}

type OverrideProps = {
  feature: Catalog['features'][number]
  what: ChangeInput
  onChange(patch: Partial<ChangeInput>): void
}

function OverrideFields({ feature, what: { value, startsAt, expiresAt, note }, onChange }: OverrideProps) {
  // The override keeps its length when the start moves.
  function moveStart(start: Expiry): void {
    const end = start !== '' && expiresAt ? moveEnd(expiresAt, { before: startsAt, after: start }) : expiresAt
    onChange({ startsAt: start, expiresAt: end })
  }

  return (
    <>
      <ValueInput feature={feature} label="Value" value={value} onChange={(text) => onChange({ value: text })} />
      <StartInput value={startsAt} onChange={moveStart} />
      <ExpiryInput value={expiresAt} from={startsAt} onChange={(end) => onChange({ expiresAt: end })} />
      <Textarea
        label="Note"
        description="The reason, or a link to a ticket."
        autosize
        minRows={1}
        value={note}
        onChange={({ currentTarget }) => onChange({ note: currentTarget.value })}
      />
    </>
  )
}
