/** A plan or a feature in a list of choices. */
export function toChoice({ key, name }: { key: string; name: string }): { value: string; label: string } {
  return { value: key, label: name === key ? key : `${name} (${key})` }
}
