/** Converts a plan or a feature to an item of a list of choices. */
export function toChoice({ key, name }: { key: string; name: string }): { value: string; label: string } {
  return { value: key, label: name === key ? key : `${name} (${key})` }
}
