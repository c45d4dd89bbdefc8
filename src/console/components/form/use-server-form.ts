import { type UseFormReturnType, useForm } from '@mantine/form'
import { type FormEvent, useEffect, useState } from 'react'
import { dropDraft, readDraft, writeDraft } from './draft.ts'
import { placeErrors } from './field-errors.ts'

type Options<Values extends object> = {
  initialValues: Values
  /** Sends the form. What it throws is shown at its fields, or in the panel. */
  submit(values: Values): Promise<unknown>
  /** Keeps what is typed over a reload, under this name. Leave it out where a secret is typed. */
  draft?: string
}

export type ServerForm<Values extends object> = {
  form: UseFormReturnType<Values>
  /** What has no field to stand at. */
  error: Error | null
  isRunning: boolean
  onSubmit(event: FormEvent): void
  /** Forgets what was typed. */
  discard(): void
}

/** A form that the server judges: its sentences appear at the fields they are about. */
export function useServerForm<Values extends object>({
  initialValues,
  submit,
  draft,
}: Options<Values>): ServerForm<Values> {
  const [error, setError] = useState<Error | null>(null)
  const [isRunning, setIsRunning] = useState(false)
  const form = useForm<Values>({
    initialValues: draft ? { ...initialValues, ...readDraft<Values>(draft) } : initialValues,
  })

  const isDirty = form.isDirty()
  useEffect(() => {
    if (draft && isDirty) writeDraft(draft, form.values)
  }, [draft, isDirty, form.values])

  async function send(): Promise<void> {
    setIsRunning(true)
    setError(null)
    form.clearErrors()
    try {
      await submit(form.values)
      if (draft) dropDraft(draft)
    } catch (reason) {
      const { byField, rest } = placeErrors(reason as Error, Object.keys(form.values))
      form.setErrors(Object.fromEntries(byField))
      setError(rest)
    } finally {
      setIsRunning(false)
    }
  }

  return {
    form,
    error,
    isRunning,
    onSubmit(event) {
      event.preventDefault()
      void send()
    },
    discard() {
      if (draft) dropDraft(draft)
      form.setValues(initialValues)
    },
  }
}
