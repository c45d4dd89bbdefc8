import DataLoader from 'dataloader'
import type { GraphQLResolveInfo } from 'graphql'

type Path = GraphQLResolveInfo['path']

/** Batches the nested fields of one request: one read for all parents of a level. */
export class Batches {
  readonly #loaders = new Map<string, DataLoader<string, unknown>>()

  /**
   * The value for one parent; `loadMany` returns a Map by parent. Parents are read together if the field is at the same path
   * of the document: there its arguments are the same, and a mutation never sees values read by an earlier one.
   */
  load<Value>(
    path: Path,
    parent: string,
    loadMany: (parents: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  ): Promise<Value | undefined> {
    const position = positionOf(path)
    let loader = this.#loaders.get(position)
    if (!loader) {
      loader = new DataLoader(async (parents) => {
        const values = await loadMany(parents)
        return parents.map((key) => values.get(key))
      })
      this.#loaders.set(position, loader)
    }
    return loader.load(parent) as Promise<Value | undefined>
  }
}

/** The response keys that lead to a field, without the positions in lists: `subscribers.nodes.plan`. */
function positionOf(path: Path): string {
  const keys: string[] = []
  for (let at: Path | undefined = path; at; at = at.prev) {
    if (typeof at.key === 'string') keys.push(at.key)
  }
  return keys.reverse().join('.')
}
