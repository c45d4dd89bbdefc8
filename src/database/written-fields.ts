import type { z } from 'zod'
import type { AnswerField } from '../core/answer.ts'
import { type CamelCase, toCamelCase } from '../core/names.ts'
import { columnsOfModel, type Model } from './table.ts'

/** The schemas of a field in inputs and in answers. `column` is set if the column is not named like the field in camel case. */
type Field = { input: z.ZodType; answer: z.ZodType | AnswerField<never>; column?: string }

type ColumnOf<Name, Described extends Field> = Described['column'] extends string
  ? Described['column']
  : CamelCase<Name>

type UndefinedToNull<Value> = Value extends undefined ? null : Value

/** The fields of a resource that callers write. */
export type WrittenFields<Fields extends Record<string, Field>> = {
  /** The schemas of the fields in inputs. */
  input: { [Name in keyof Fields]: Fields[Name]['input'] }
  /** The schemas of the fields in the answer. */
  answer: { [Name in keyof Fields]: Fields[Name]['answer'] }
  /** The columns of a new row: null for a field that is left out. */
  toNewRow(input: { [Name in keyof Fields]?: z.output<Fields[Name]['input']> }): {
    [Name in keyof Fields as ColumnOf<Name, Fields[Name]>]: UndefinedToNull<z.output<Fields[Name]['input']>>
  }
  /** A row's values, for the audit log. */
  toDetails(row: object): Record<keyof Fields, unknown>
}

/** Defines the fields of a resource that callers write. Only this definition and schema.prisma list these fields. */
export function defineFields<const Fields extends Record<string, Field>>(
  model: Model,
  fields: Fields,
): WrittenFields<Fields> {
  const all = Object.entries(fields).map(([name, field]) => ({ name, column: toCamelCase(name), ...field }))
  const stored = columnsOfModel(model).map(({ name }) => name)
  const fieldWithoutColumn = all.find(({ column }) => !stored.includes(column))
  if (fieldWithoutColumn)
    throw new Error(`${model} has no column ${fieldWithoutColumn.column}: add it to schema.prisma`)
  const writtenFields = {
    input: Object.fromEntries(all.map(({ name, input }) => [name, input])),
    answer: Object.fromEntries(all.map(({ name, answer }) => [name, answer])),
    toNewRow: (input: Record<string, unknown>) =>
      Object.fromEntries(all.map(({ name, column }) => [column, input[name] ?? null])),
    toDetails: (row: Record<string, unknown>) => Object.fromEntries(all.map(({ name, column }) => [name, row[column]])),
  }
  return writtenFields as unknown as WrittenFields<Fields>
}
