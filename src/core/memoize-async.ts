/** Creates the value for the first caller, and shares it with later ones. After a failure, the next caller creates it again. */
export function memoizeAsync<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | null = null
  return () => {
    value ??= make().catch((error) => {
      value = null
      throw error
    })
    return value
  }
}
