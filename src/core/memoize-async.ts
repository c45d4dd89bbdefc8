/** Creates the value at the first call, and shares it with later calls. After a failure, the next call creates it again. */
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
