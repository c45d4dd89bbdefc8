import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core'
import type { GraphQLFieldResolver } from 'graphql'
import type { Label } from '../access/roles.ts'
import type { GraphqlContext } from './context.ts'

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      refusable: RefusablePlugin<Types>
    }
    interface FieldOptions<Types, ParentShape, Type, Nullable, Args, ResolveShape, ResolveReturnShape> {
      /** The labels of the list or read that a nested field represents; any one of these is enough. */
      labels?: readonly Label[]
    }
  }
}

/**
 * Root fields, and nested fields with labels, may be refused. They are nullable, so that a refusal does not remove other
 * fields, such as writes that have run.
 */
class RefusablePlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const isRoot = field.kind === 'Query' || field.kind === 'Mutation'
    return isRoot || labelsOf(field) ? { ...field, type: { ...field.type, nullable: true } } : field
  }

  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    field: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    if (field.kind === 'Mutation') {
      return async (parent, args, context, info) => {
        await (context as GraphqlContext).startMutation()
        return resolve(parent, args, context, info)
      }
    }
    const labels = labelsOf(field)
    if (!labels) return resolve
    return (parent, args, context, info) => {
      const { budget, assertLabels } = context as GraphqlContext
      const fail = (error: unknown) => {
        // In a list, the field may fail once for each row.
        budget.countFailure(error as Partial<Error>)
        throw error
      }
      try {
        assertLabels(labels)
        const value = resolve(parent, args, context, info)
        return value instanceof Promise ? value.catch(fail) : value
      } catch (error) {
        return fail(error)
      }
    }
  }
}

function labelsOf<Types extends SchemaTypes>({ pothosOptions }: PothosOutputFieldConfig<Types>) {
  return (pothosOptions as { labels?: readonly Label[] }).labels
}

SchemaBuilder.registerPlugin('refusable', RefusablePlugin)
