/** Creates the value for the first caller, and shares it with later ones. After a failure, the next caller creates it again. */
export function memoizeAsync<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | null = null
  return () => {
    made ??= make().catch((error) => {
      made = null
      throw error
    })
    return made
  }
}
