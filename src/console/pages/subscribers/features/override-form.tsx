import { Button, Group, Textarea, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx'
import { useSlow } from '../../../components/feedback/use-slow.ts'
import { ExpiryInput } from '../../../components/form/expiry-input.tsx'
import { FieldProblem } from '../../../components/form/field-errors.ts'
import { ServerForm } from '../../../components/form/server-form.tsx'
import { useServerForm } from '../../../components/form/use-server-form.ts'
import { ValueInput } from '../../../components/form/value-input.tsx'
import { parseValueText } from '../../../components/form/value-text.ts'
import { putOverrideExample } from '../api-examples.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import type { ExplainedFeature, Override } from './explained.ts'
import type { Done } from './override-done.tsx'
import { draftOf } from './override-input.ts'
import { proposeOverride } from './proposal.ts'
import { useOverrideActions } from './use-override-actions.ts'

type Props = {
  feature: ExplainedFeature
  /** As it is stored, expired or not. */
  stored: Override | null
  onSaved(done: Done): void
  onClose(): void
}

const fields = { value: { label: 'Value' }, expiresAt: { label: 'Expires' }, note: { label: 'Note' } }

export function OverrideForm({ feature, stored, onSaved, onClose }: Props) {
  const { subscriberId } = useSubscriberSearch()
  const { key, name, override: live } = feature
  const actions = useOverrideActions({ subscriberId, feature: key })
  // A proposed end counts from when the form was opened.
  const [openedAt] = useState(() => new Date())
  const state = useServerForm({
    initialValues: proposeOverride(feature, stored, openedAt),
    draft: draftOf({ subscriberId, feature: key }),
    stored: { version: stored?.updatedAt ?? null, fields },
    async submit({ value: text, expiresAt, note }, expectedUpdatedAt) {
      const parsed = parseValueText(feature, text)
      if ('problem' in parsed) throw new FieldProblem('value', parsed.problem)
      const decision = { value: parsed.value, expiresAt, note }
      const message = `The override of ${name} was saved.`
      onSaved(await actions.put({ decision, before: stored, expectedUpdatedAt, message, toast: false }))
    },
  })
  const { form } = state
  const parsed = parseValueText(feature, form.values.value)

  return (
    <section aria-label="Override">
      <Group justify="space-between" mb="xs">
        <Title order={2}>Override</Title>
        {live && <RemoveButton feature={feature} override={live} onRemoved={onClose} />}
      </Group>
      <ServerForm
        state={state}
        action={live ? 'Save override' : 'Override'}
        onCancel={onClose}
        {...('value' in parsed && {
          example: putOverrideExample({ subscriberId, feature: key }, { ...form.values, value: parsed.value }),
        })}
      >
        <ValueInput feature={feature} label="Value" autoFocus {...form.getInputProps('value')} />
        <ExpiryInput {...form.getInputProps('expiresAt')} />
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
  const isSlow = useSlow(isPending)

  return (
    <>
      <Button size="compact-sm" variant="default" loading={isSlow} onClick={() => mutate()}>
        Remove
      </Button>
      {error && <ErrorPanel error={error} />}
    </>
  )
}
