import type { ReactNode } from 'react'
import type { ApiExample } from '../api/api-examples.ts'
import { toastDone } from '../feedback/toast.tsx'
import { FieldInputs, type Fields, type InputOf, toInput } from './fields.tsx'
import { ServerForm } from './server-form.tsx'
import { type ServerForm as State, useServerForm } from './use-server-form.ts'

type Props<All extends Fields, Values extends object> = {
  fields: All
  /** The object's values as the page shows them; `version` is the version of the object that has them. */
  values: Values
  version: string
  /** The name under which the browser stores typed text, so that it survives a reload. */
  draft: string
  action?: string
  /** Saves the values if the object still has the expected version. Undo saves the former values in the same way. */
  save(input: InputOf<All, Values>, expectedUpdatedAt: string | null): Promise<{ updatedAt: string }>
  /** The message that says the values were saved. */
  done(values: Values): string
  example(input: InputOf<All, Values>): ApiExample
  onClose(): void
  /** Renders inputs that replace the plain inputs of `fields`. */
  children?: (state: State<Values>) => ReactNode
}

/** A form that changes the fields of an object, which other people may change at the same time. */
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
