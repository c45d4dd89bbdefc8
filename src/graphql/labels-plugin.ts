import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core'
import type { GraphQLFieldResolver } from 'graphql'
import type { Label } from '../access/roles.ts'
import type { GraphqlContext } from './context.ts'

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      labels: LabelsPlugin<Types>
    }
    // biome-ignore lint/correctness/noUnusedVariables: must repeat Pothos's own parameters to merge with it.
    interface FieldOptions<Types, ParentShape, Type, Nullable, Args, ResolveShape, ResolveReturnShape> {
      /** A nested field carries the labels of the list or read that it stands for; any one is enough. */
      labels?: readonly Label[]
    }
  }
}

class LabelsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { pothosOptions }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    const { labels } = pothosOptions as { labels?: readonly Label[] }
    if (!labels) return resolve
    return (parent, args, context, info) => {
      ;(context as GraphqlContext).assertLabels(labels)
      return resolve(parent, args, context, info)
    }
  }
}

SchemaBuilder.registerPlugin('labels', LabelsPlugin)
