import { GraphQLError, GraphQLScalarType, visit } from 'graphql'
import { JSONResolver } from 'graphql-scalars'

/**
 * The usual JSON scalar, but it refuses a literal that contains a name, as in `[EU]`: the usual scalar turns the name into
 * null or leaves the field out, so a different value would be stored.
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
