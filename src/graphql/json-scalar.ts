import { GraphQLError, GraphQLScalarType, visit } from 'graphql'
import { JSONResolver } from 'graphql-scalars'

/**
 * The usual JSON scalar, but that a literal with a name in it, as in `[EU]`, is refused: the usual one makes null of it
 * or leaves the field out, and another value would be stored than the one that was written.
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
