import { z } from 'zod'
import { defineAnswer, listFrom } from '../../core/answer.ts'
import { countField, jsonObjectField, textField } from '../../core/answer-fields.ts'
import type { DomainError } from '../../core/errors.ts'
import { asScalar, namedEnum, namedObject, note } from '../../core/field-type.ts'
import { storableText } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { refuse } from '../../core/issues.ts'
import { isPlainObject } from '../../core/json.ts'
import { toDomainError } from '../../database/outage.ts'
import { viaPrisma } from '../../database/sql.ts'
import type { Transaction } from '../../database/transaction.ts'
import { addsStoredData, defineRead, type Write } from '../../operation/operation.ts'
import { createFeature } from '../features/create-feature.ts'
import { deleteFeature } from '../features/delete-feature.ts'
import { updateFeature } from '../features/update-feature.ts'
import { archivePlan, unarchivePlan } from '../plans/archive-plan.ts'
import { createPlan } from '../plans/create-plan.ts'
import { deletePlan } from '../plans/delete-plan.ts'
import { updatePlan } from '../plans/update-plan.ts'

const writesByName = {
  create_feature: createFeature,
  update_feature: updateFeature,
  delete_feature: deleteFeature,
  create_plan: createPlan,
  update_plan: updatePlan,
  archive_plan: archivePlan,
  unarchive_plan: unarchivePlan,
  delete_plan: deletePlan,
} as unknown as Record<OperationName, Write<'/org/plans/{key}', unknown, unknown>>

type OperationName = z.output<typeof operationName>

const operationName = namedEnum(
  'CatalogOperation',
  {
    create_feature: 'Create a feature.',
    update_feature: 'Update a feature.',
    delete_feature: 'Delete a feature.',
    create_plan: 'Create a plan.',
    update_plan: 'Update a plan.',
    archive_plan: 'Archive a plan.',
    unarchive_plan: 'Unarchive a plan.',
    delete_plan: 'Delete a plan.',
  },
  'The kind of a change to the catalog.',
)

const change = namedObject(
  'CatalogChangeInput',
  z
    .object({
      operation: operationName,
      key: note(storableText(64).optional().describe('a key'), {
        meaning: 'The feature or plan to change. Leave it out to create one.',
      }),
      input: note(
        asScalar(
          'JSON',
          z
            .unknown()
            .optional()
            .refine((value) => value === undefined || isPlainObject(value))
            .describe('a JSON object')
            .meta({ type: 'object', additionalProperties: true }),
        ),
        { meaning: 'The body of the operation, in the format of the REST API.' },
      ),
    })
    .superRefine(({ operation, key }, context) => {
      if (!operation.startsWith('create_') && key === undefined)
        refuse(context, 'is required, except to create a feature or plan.', ['key'])
    }),
  'A change to the catalog.',
)

/** The largest previews take one or two seconds; a transaction may take six. */
const maxChanges = 200

type CatalogRefusal = {
  index: number
  code: string
  message: string
  details: Record<string, unknown> | null
}

export type CatalogPreview = { refusals: CatalogRefusal[] }

export const catalogRefusalAnswer = defineAnswer<CatalogRefusal>('CatalogRefusal', 'A change that would be refused.', {
  index: countField().describe('The position of the change in the list, from 0.'),
  code: textField(1, 64).describe('The error code that the operation would answer with.'),
  message: textField(1, 100_000).describe('What is wrong, and what to do.'),
  details: jsonObjectField()
    .nullable()
    .describe('The details of the error. Field paths are relative to the input of the change.'),
})

export const catalogPreviewAnswer = defineAnswer<CatalogPreview>(
  'CatalogPreview',
  'The changes that would be refused.',
  {
    refusals: listFrom(
      'refusals',
      catalogRefusalAnswer,
      'The refused changes; empty if all would succeed.',
      maxChanges,
    ),
  },
)

/** Each change is validated as if all earlier changes were made, except those that are refused. */
export const previewCatalog = defineRead({
  name: 'previewCatalog',
  summary: 'Show which of several changes to the catalog would be refused. Changes nothing.',
  about: `Runs at most ${maxChanges} changes in their order, as the operations would, and rolls all of them back.`,
  method: 'POST',
  route: '/org/catalog/preview',
  service: 'api',
  labels: ['plans:read'],
  input: defineInput(
    { changes: z.array(change).max(maxChanges).describe(`a list of at most ${maxChanges} changes, in their order`) },
    { unknown: 'reject' },
  ),
  answer: catalogPreviewAnswer,
  // A preview locks the catalog like a write, so an owner runs one preview at a time, and then waits as long as the preview
  // took.
  searches: () => true,
  async run({ dryRun, findStorageRefusal, input: { changes }, ...call }): Promise<CatalogPreview> {
    const refusals: CatalogRefusal[] = []
    const storageRefusal = await findStorageRefusal()
    await dryRun(async (tx) => {
      for (const [index, { operation, key, input }] of changes.entries()) {
        const refusal = await tryChange(tx, async () => {
          const { start, input: schema } = writesByName[operation]
          const finish = start({
            ...call,
            path: { key: key ?? '' },
            input: schema.parse(input),
            sql: viaPrisma(tx),
            withPrisma: (work) => work(tx),
          })
          const outcome = await finish(call.now)
          for (const statement of outcome.writes ?? []) await tx.$executeRaw(statement)
          if (storageRefusal && addsStoredData(writesByName[operation])) throw storageRefusal
        })
        if (refusal) refusals.push({ index, ...refusal })
      }
    })
    return { refusals }
  },
})

/** Runs a change. If it is refused, undoes it and returns the refusal. */
async function tryChange(tx: Transaction, run: () => Promise<void>): Promise<Omit<CatalogRefusal, 'index'> | null> {
  await tx.$executeRaw`savepoint change`
  try {
    await run()
    return null
  } catch (error) {
    const { code, message, details } = refusalOf(error)
    await tx.$executeRaw`rollback to savepoint change`
    return { code, message, details }
  }
}

function refusalOf(error: unknown): DomainError {
  const refusal = toDomainError(error)
  if (refusal.status >= 500) throw refusal
  return refusal
}
