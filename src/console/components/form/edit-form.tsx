import type { ReactNode } from 'react'
import type { ApiExample } from '../api/api-examples.ts'
import { toastDone } from '../feedback/toast.tsx'
import { FieldInputs, type Fields, type InputOf, toInput } from './fields.tsx'
import { ServerForm } from './server-form.tsx'
import { type ServerForm as State, useServerForm } from './use-server-form.ts'

type Props<All extends Fields, Values extends object> = {
  fields: All
  /** The values as the page shows them, with the version of the object. */
  values: Values
  version: string
  /** Keeps typed text over a reload, under this name. */
  draft: string
  action?: string
  /** Sends the values, for a version of the object. Undo sends the former ones. */
  save(input: InputOf<All, Values>, expectedUpdatedAt: string | null): Promise<{ updatedAt: string }>
  /** The message that says the values were saved. */
  done(values: Values): string
  example(input: InputOf<All, Values>): ApiExample
  onClose(): void
  /** Replaces the plain inputs. */
  children?: (state: State<Values>) => ReactNode
}

/** Changes the fields of an object that others may change too. */
export function EditForm<All extends Fields, Values extends object>(props: Props<All, Values>) {
  const { fields, values: before, version, draft, action = 'Save', save, done, example, onClose, children } = props
  const state = useServerForm<Values>({
    initialValues: before,
    draft,
    stored: { version, fields },
    async submit(values, expectedUpdatedAt) {
      const after = await save(toInput(fields, values), expectedUpdatedAt)
      toastDone(done(values), () => save(toInput(fields, before), after.updatedAt))
      onClose()
    },
  })
  return (
    <ServerForm state={state} action={action} onCancel={onClose} example={example(toInput(fields, state.form.values))}>
      {children ? children(state) : <FieldInputs form={state.form} fields={fields} autoFocus />}
    </ServerForm>
  )
}
