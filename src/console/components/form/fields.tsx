import { Textarea, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType, UseFormReturnType } from '@mantine/form'
import { Fragment, type ReactNode } from 'react'
import type { Property } from '../page/properties.tsx'

/** A field of an object that people can edit. The object's forms and its `Properties` are derived from its fields. */
export type Field = {
  label: string
  description?: string
  /** The field may be left empty, which the API stores as null. */
  orNull?: true
  /** Makes the input a text area with at least this many lines. */
  lines?: number
  /** The field's input, if it is not a text input. */
  input?(props: GetInputPropsReturnType): ReactNode
  /** Omits the field from `Properties`, because the page's header shows it. */
  inHead?: boolean
  /** How `Properties` shows the value, if not as plain text. */
  show?(value: never): ReactNode
}

/** The fields of one kind of object, by their names in GraphQL. */
export type Fields<Name extends string = string> = Readonly<Record<Name, Field>>

type Props<Values> = {
  form: Pick<UseFormReturnType<Values>, 'getInputProps'>
  fields: Fields
  /** Whether the first field gets the focus when its drawer opens. */
  autoFocus?: boolean
}

export function FieldInputs<Values>({ form, fields, autoFocus = false }: Props<Values>) {
  return Object.entries(fields).map(([name, { label, description, lines, input }], index) => {
    const own = form.getInputProps(name)
    if (input) return <Fragment key={name}>{input(own)}</Fragment>
    const props = { label, description, 'data-autofocus': (autoFocus && index === 0) || undefined, ...own }
    return lines ? <Textarea key={name} autosize minRows={lines} {...props} /> : <TextInput key={name} {...props} />
  })
}

/** The fields without the name, for a form that has its own input for the name. */
export function withoutName<All extends Fields>({ name: _, ...others }: All) {
  return others
}

/** The form's values for a new object: an empty text for each field. */
export function emptyValues<Name extends string>(fields: Fields<Name>) {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, ''])) as Record<Name, string>
}

/** The object's values for a form, in which an empty text stands for null. */
export function toFormValues<Name extends string, Shown extends Record<Name, unknown>>(
  fields: Fields<Name>,
  object: Shown,
) {
  const names = Object.keys(fields) as Name[]
  return Object.fromEntries(names.map((name) => [name, object[name] ?? ''])) as {
    [Each in Name]: NonNullable<Shown[Each]>
  }
}

/** The values for the API, in which a field with `orNull` is null instead of empty. */
export type InputOf<All, Values> = {
  [Name in keyof Values]: All extends { [Each in Name]: { orNull: true } } ? Values[Name] | null : Values[Name]
}

export function toInput<All extends Fields, Values extends object>(fields: All, values: Values) {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    fields[name]?.orNull && value === '' ? null : value,
  ])
  return Object.fromEntries(entries) as InputOf<All, Values>
}

/** Converts an object's fields to items of `Properties`. */
export function toProperties<Name extends string>(
  fields: Fields<Name>,
  object: Record<NoInfer<Name>, unknown>,
): Property[] {
  return Object.entries<Field>(fields).flatMap(([name, { label, inHead, show }]) => {
    const value = object[name as NoInfer<Name>]
    return inHead ? [] : [[label, show ? show(value as never) : String(value || '—')] as const]
  })
}
