import { Button, Group, Textarea, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx'
import { useIsSlow } from '../../../components/feedback/use-is-slow.ts'
import { describeExpiry, describeStart, type Expiry, moveEnd } from '../../../components/form/expiry.ts'
import { ExpiryInput } from '../../../components/form/expiry-input.tsx'
import { FieldProblem } from '../../../components/form/field-errors.ts'
import { ServerForm } from '../../../components/form/server-form.tsx'
import { StartInput } from '../../../components/form/start-input.tsx'
import { useServerForm } from '../../../components/form/use-server-form.ts'
import { ValueInput } from '../../../components/form/value-input.tsx'
import { parseValueText } from '../../../components/form/value-text.ts'
import { putOverrideExample } from '../api-examples.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import type { ExplainedFeature, Override } from './explained.ts'
import type { SavedOverride } from './override-done.tsx'
import { draftOf } from './override-input.ts'
import { isLiveOrScheduled, proposeOverride } from './proposal.ts'
import { useOverrideActions } from './use-override-actions.ts'

type Props = {
  feature: ExplainedFeature
  /** The override as it is stored, live or not. */
  stored: Override | null
  onSaved(done: SavedOverride): void
  onClose(): void
}

const fields = {
  value: { label: 'Value' },
  startsAt: { label: 'Starts', show: (start: Expiry) => describeStart(start, new Date()) },
  expiresAt: { label: 'Expires', show: (end: Expiry) => describeExpiry(end, new Date()) },
  note: { label: 'Note' },
}

export function OverrideForm({ feature, stored, onSaved, onClose }: Props) {
  const { subscriberId } = useSubscriberSearch()
  const { key, name, override: live } = feature
  const actions = useOverrideActions({ subscriberId, feature: key })
  // A proposed end counts from when the form was opened.
  const [openedAt] = useState(() => new Date())
  const state = useServerForm({
    initialValues: proposeOverride(feature, stored, openedAt),
    draft: draftOf({ subscriberId, feature: key }),
    stored: { version: stored?.updatedAt ?? null, isProposal: !isLiveOrScheduled(stored, openedAt), fields },
    async submit({ value: text, startsAt, expiresAt, note }, expectedUpdatedAt) {
      const parsed = parseValueText(feature, text)
      if ('problem' in parsed) throw new FieldProblem('value', parsed.problem)
      const decision = { value: parsed.value, startsAt, expiresAt, note }
      const message = `The override of ${name} was saved.`
      onSaved(await actions.put({ decision, before: stored, expectedUpdatedAt, message, toast: false }))
    },
  })
  const { form } = state
  const parsed = parseValueText(feature, form.values.value)
  const present = live ?? (stored?.startsAt ? stored : null)

  /** The end moves with the start, so that the override lasts as long. */
  function moveStart(startsAt: Expiry): void {
    const { startsAt: before, expiresAt } = form.values
    form.setFieldValue('startsAt', startsAt)
    if (startsAt !== '' && expiresAt) form.setFieldValue('expiresAt', moveEnd(expiresAt, { before, after: startsAt }))
  }

  return (
    <section aria-label="Override">
      <Group justify="space-between" mb="xs">
        <Title order={2}>Override</Title>
        {present && <RemoveButton feature={feature} override={present} onRemoved={onClose} />}
      </Group>
      <ServerForm
        state={state}
        action={present ? 'Save override' : 'Override'}
        onCancel={onClose}
        {...('value' in parsed && {
          example: putOverrideExample({ subscriberId, feature: key }, { ...form.values, value: parsed.value }),
        })}
      >
        <ValueInput feature={feature} label="Value" autoFocus {...form.getInputProps('value')} />
        {(!live || form.values.startsAt !== null) && (
          <StartInput {...form.getInputProps('startsAt')} onChange={moveStart} />
        )}
        <ExpiryInput {...form.getInputProps('expiresAt')} from={form.values.startsAt} />
        <Textarea
          label="Note"
          description="The reason, or a link to a ticket."
          autosize
          minRows={1}
          {...form.getInputProps('note')}
        />
      </ServerForm>
    </section>
  )
}

type RemoveProps = { feature: ExplainedFeature; override: Override; onRemoved(): void }

function RemoveButton({ feature: { key, name }, override, onRemoved }: RemoveProps) {
  const { subscriberId } = useSubscriberSearch()
  const actions = useOverrideActions({ subscriberId, feature: key })
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => actions.remove(override, `The override of ${name} was removed.`),
    onSuccess: onRemoved,
  })
  const isSlow = useIsSlow(isPending)

  return (
    <>
      <Button size="compact-sm" variant="default" loading={isSlow} onClick={() => !isPending && mutate()}>
        Remove
      </Button>
      {error && <ErrorPanel error={error} />}
    </>
  )
}
