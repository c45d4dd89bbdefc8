import DataLoader from 'dataloader'
import type { GraphQLResolveInfo } from 'graphql'

type Path = GraphQLResolveInfo['path']

/** Batches nested fields of a request: one read loads a field for all parents of a level. */
export class Batches {
  readonly #loaders = new Map<string, DataLoader<string, unknown>>()

  /**
   * Loads the value for one parent; `loadMany` returns a Map by parent. A batch has the parents at one path of the document, so
   * that their arguments are the same, and a mutation never sees values that an earlier mutation has loaded.
   */
  load<Value>(
    path: Path,
    parent: string,
    loadMany: (parents: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  ): Promise<Value | undefined> {
    const documentPath = toDocumentPath(path)
    let loader = this.#loaders.get(documentPath)
    if (!loader) {
      loader = new DataLoader(async (parents) => {
        const values = await loadMany(parents)
        return parents.map((key) => values.get(key))
      })
      this.#loaders.set(documentPath, loader)
    }
    return loader.load(parent) as Promise<Value | undefined>
  }
}

/** Converts a response path to the keys that lead to the field, without positions in lists: `subscribers.nodes.plan`. */
function toDocumentPath(path: Path): string {
  const keys: string[] = []
  for (let at: Path | undefined = path; at; at = at.prev) {
    if (typeof at.key === 'string') keys.push(at.key)
  }
  return keys.reverse().join('.')
}
