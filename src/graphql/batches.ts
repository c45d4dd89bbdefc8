import DataLoader from 'dataloader'

/** Nested fields of one request, read together: one call for all parents of a level, however many there are. */
export class Batches {
  readonly #loaders = new Map<string, DataLoader<string, unknown>>()

  /**
   * The value for one parent. `name` tells the field and its arguments; parents of the same name are read by one call
   * of `loadMany`, which gives a Map by parent.
   */
  load<Value>(
    name: string,
    parent: string,
    loadMany: (parents: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  ): Promise<Value | undefined> {
    let loader = this.#loaders.get(name)
    if (!loader) {
      loader = new DataLoader(async (parents) => {
        const values = await loadMany(parents)
        return parents.map((key) => values.get(key))
      })
      this.#loaders.set(name, loader)
    }
    return loader.load(parent) as Promise<Value | undefined>
  }
}
