import { Button } from '@mantine/core'
import { asChange, isObject, isTooLarge } from '../audit/details.ts'
import { keepDraft } from '../form/use-server-form.ts'
import { isSameJson } from '../text/value.ts'

/** Puts something back to a former state as a draft; it saves nothing. */
export function RevertButton({ onDraft }: { onDraft(): void }) {
  return (
    <Button size="compact-sm" variant="default" onClick={onDraft}>
      Revert
    </Button>
  )
}

/** A form that edits fields of an object. */
type Editor = {
  /** The values as they are now, by the fields of the form. */
  current: Readonly<Record<string, unknown>>
  /** The name of the form's draft. */
  draft: string
  /** Opens the form. */
  open(): void
}

type Former = readonly (readonly [field: string, value: unknown])[]

/** "Revert" for a change of fields that a form edits: it opens the form with their former values. */
export function offerRevert({ current, draft, open }: Editor, former: Former) {
  const drafted = former
    .filter(([field, value]) => Object.hasOwn(current, field) && !isTooLarge(value))
    .map(([field, value]) => [field, value ?? ''] as const)
    .filter(([field, value]) => !isSameJson(value, current[field]))
  if (drafted.length === 0) return null
  function draftAndOpen(): void {
    keepDraft(draft, Object.fromEntries(drafted))
    open()
  }
  return <RevertButton onDraft={draftAndOpen} />
}

/** The former values of the fields that an entry of the audit log changed. */
export function formerValues(details: unknown): Former {
  if (!isObject(details)) return []
  return Object.entries(details).flatMap(([field, recorded]) => {
    const change = asChange(recorded)
    return change ? [[field, change.from] as const] : []
  })
}
