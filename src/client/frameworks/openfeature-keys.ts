/** For flags whose keys cannot be keys of features, such as those with dots. */
export type FlagKeys = {
  /** The feature's key by the flag's, such as `{ 'alternate.page': 'alternate-page' }`. Other flags have their features' keys. */
  keys?: { readonly [flagKey: string]: string } | undefined
}

export function featureOf(flagKey: string, { keys = {} }: FlagKeys): string {
  return Object.hasOwn(keys, flagKey) ? (keys[flagKey] as string) : flagKey
}

/** The flags that show these features. */
export function flagsOf(features: Iterable<string>, { keys = {} }: FlagKeys): string[] {
  const changed = new Set(features)
  const renamed = Object.entries(keys).filter(([, feature]) => changed.has(feature))
  return [...changed, ...renamed.map(([flagKey]) => flagKey)]
}
