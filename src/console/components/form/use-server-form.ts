import { type UseFormReturnType, useForm } from '@mantine/form'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { queryClient } from '../../api/query-client.ts'
import { assignErrorsToFields } from './field-errors.ts'
import { hasSameJson } from './merge-changes.ts'
import { type Base, type Conflict, type EditedObject, isEditConflict, useEditConflict } from './use-edit-conflict.ts'

type Options<Values extends object> = {
  /** With `stored`, the object's values as the page shows them now. */
  initialValues: Values
  /**
   * Sends the form. Errors that it throws are shown at the fields, or in the panel. `expected` is the version of the object
   * that the person edited, for `expectedUpdatedAt` or `expectedSubscriptionId`.
   */
  submit(values: Values, expected: string | null): Promise<unknown>
  /** The name under which the browser stores typed text, so that it survives a reload. Omit it if people type a secret. */
  draft?: string
  /**
   * The edited object, if others may change it meanwhile. If they change a field that the person edited, the form shows both
   * values, and the person chooses.
   */
  stored?: EditedObject
}

export type ServerForm<Values extends object> = {
  form: UseFormReturnType<Values>
  /** An error that belongs to no field. */
  error: Error | null
  /** Why the form was refused, even if the reason is already shown at its fields. */
  refusal: Error | null
  /** The changes that someone else made in the meantime, until the person has decided and sent the form. */
  conflict: Conflict | null
  isRunning: boolean
  onSubmit(event: FormEvent): void
  /** Whether the form shows text that was typed earlier and never sent. */
  isRestored: boolean
  /** Discards the typed text. */
  discard(): void
}

/** A form that the server validates. Each message of the server appears at the field that it is about. */
export function useServerForm<Values extends object>(options: Options<Values>): ServerForm<Values> {
  const { initialValues, submit, draft, stored } = options
  const [kept] = useState(() => (draft ? readDraft<Values>(draft) : null))
  const [wasRestored, setWasRestored] = useState(kept !== null)
  const [refusal, setRefusal] = useState<{ reason: Error; rest: Error | null } | null>(null)
  const [isRunning, setIsRunning] = useState(false)
  const isSending = useRef(false)
  const form = useForm<Values>({ initialValues: { ...initialValues, ...kept?.values } })
  const { version = null, isProposal = false } = stored ?? {}
  const firstBase: Base<Values> = kept?.base ?? { values: initialValues, version, isProposal }
  const isRefused = isEditConflict(refusal?.reason)

  const { base, conflict, rebase } = useEditConflict({
    ...{ form, stored, theirs: initialValues, firstBase, isRunning, isRefused },
    sendAgain: (values, version) => void send(values, version),
  })

  // Saved values become the base before the page shows them: they must not become a draft again.
  const isDirty = form.isDirty() && !(stored && hasSameJson(form.values, base.values))
  const draftBase = stored ? base : undefined
  useEffect(() => {
    if (draft && isDirty) writeDraft(draft, { values: form.values, base: draftBase })
    // Text that was typed and removed again must not come back.
    else if (draft && !wasRestored) deleteDraft(draft)
  }, [draft, isDirty, wasRestored, form.values, draftBase])

  async function send(values: Values, version: string | null): Promise<void> {
    if (isSending.current) return
    isSending.current = true
    setIsRunning(true)
    setRefusal(null)
    form.clearErrors()
    try {
      await submit(values, version)
      rebase(values)
      setWasRestored(false)
      if (draft) deleteDraft(draft)
    } catch (reason) {
      await refuse(reason as Error)
    } finally {
      isSending.current = false
      setIsRunning(false)
    }
  }

  async function refuse(reason: Error): Promise<void> {
    const { byField, rest } = assignErrorsToFields(reason, form.values)
    form.setErrors(Object.fromEntries(byField))
    setRefusal({ reason, rest })
    if (stored && isEditConflict(reason)) await queryClient.invalidateQueries()
  }

  return {
    form,
    error: conflict ? null : (refusal?.rest ?? null),
    refusal: refusal?.reason ?? null,
    conflict,
    isRunning,
    isRestored: wasRestored && !hasSameJson(form.values, initialValues),
    onSubmit(event) {
      event.preventDefault()
      if (!conflict?.clashes.length) void send(form.values, base.version)
    },
    discard() {
      if (draft) deleteDraft(draft)
      setWasRestored(false)
      form.setValues(initialValues)
    },
  }
}

const prefix = 'console:draft:'

/** The typed values, and `base`: the object as it was then, for a form that edits one. */
type Draft<Values> = { values: Values; base?: Base<Values> | undefined }

/** Loads the draft of a form. A draft survives a reload of the page, and is lost when the tab is closed. */
function readDraft<Values extends object>(name: string): Draft<Values> | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(prefix + name) ?? 'null')
    return typeof draft?.values === 'object' ? draft : null
  } catch {
    return null
  }
}

/** Stores a draft. The form of that name then opens with its values, as if a person had typed them. */
export function storeDraft(name: string, values: object): void {
  writeDraft(name, { values })
}

function writeDraft<Values extends object>(name: string, draft: Draft<Values>): void {
  sessionStorage.setItem(prefix + name, JSON.stringify(draft))
}

function deleteDraft(name: string): void {
  sessionStorage.removeItem(prefix + name)
}
