import { GraphQLError, GraphQLScalarType, visit } from 'graphql'
import { JSONResolver } from 'graphql-scalars'

/**
 * The JSON scalar of `graphql-scalars`, except that it refuses a literal with a name, such as `[EU]`: the original turns the
 * name into null or leaves the field out, so that a different value would be stored.
 */
export const jsonScalar = new GraphQLScalarType({
  ...JSONResolver.toConfig(),
  parseLiteral(literal, variables) {
    visit(literal, {
      EnumValue(node) {
        throw new GraphQLError(`JSON has no names: write "${node.value}" in quotes.`, { nodes: node })
      },
    })
    return JSONResolver.parseLiteral(literal, variables)
  },
})
