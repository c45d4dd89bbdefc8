import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases'
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens'
import { GraphQLError, type ValidationRule } from 'graphql'
import type { Plugin } from 'graphql-yoga'

const maxRootFields = 25

/** One request runs at most so many operations. Fields of fragments count where they are spread. */
const rootFieldRule: ValidationRule = (context) => ({
  OperationDefinition(operation) {
    let count = 0
    const selections = [...operation.selectionSet.selections]
    for (const selection of selections) {
      if (count > maxRootFields || selections.length > 10 * maxRootFields) break
      if (selection.kind === 'Field') count += 1
      else if (selection.kind === 'InlineFragment') selections.push(...selection.selectionSet.selections)
      else selections.push(...(context.getFragment(selection.name.value)?.selectionSet.selections ?? []))
    }
    if (count > maxRootFields || selections.length > 10 * maxRootFields) {
      context.reportError(new GraphQLError(`One request may have at most ${maxRootFields} root fields.`))
    }
  },
})

/** Depth, breadth and cost are the builder's; these look at the document before it is executed. */
export const boundsPlugins: Plugin[] = [
  maxTokensPlugin({ n: 2_000 }) as Plugin,
  maxAliasesPlugin({ n: 100 }) as Plugin,
  { onValidate: ({ addValidationRule }) => addValidationRule(rootFieldRule) },
]
