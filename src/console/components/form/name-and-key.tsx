import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { KeyInput } from './key-input.tsx'
import { suggestKey } from './suggest-key.ts'

type Named = { name: string; key: string }

type Props<Values extends Named> = {
  form: UseFormReturnType<Values>
  /** What the key is for. */
  description: string
}

/** The name and the key of a new object. The key is derived from the name until the person edits the key. */
export function NameAndKey<Values extends Named>({ form, description }: Props<Values>) {
  const { name, key } = form.values

  function rename(next: string): void {
    const named = key === suggestKey(name) ? { name: next, key: suggestKey(next) } : { name: next }
    form.setValues(named as Partial<Values>)
  }

  return (
    <>
      <TextInput
        label="Name"
        data-autofocus
        {...form.getInputProps('name')}
        onChange={(event) => rename(event.currentTarget.value)}
      />
      <KeyInput label="Key" description={`${description} It never changes.`} {...form.getInputProps('key')} />
    </>
  )
}
