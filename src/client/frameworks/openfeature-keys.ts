/** Maps keys of flags that cannot be keys of features, such as keys with dots. */
export type FlagKeys = {
  /**
   * The feature's key for each flag key, such as `{ 'alternate.page': 'alternate-page' }`. Without an entry, the feature has
   * the same key as the flag.
   */
  keys?: { readonly [flagKey: string]: string } | undefined
}

/**
 * Separates the arguments of a provider from the keys of its flags. With a client of your own, the keys are a second
 * argument. In options, they are the property `keys`, which is removed, because a client has no such option.
 */
export function withoutKeys<Client extends object, Options extends object>(
  given: Client | (Options & FlagKeys),
  isClient: (given: Client | Options) => given is Client,
  flagKeys: FlagKeys,
): [given: Client | Options, keys: FlagKeys] {
  if (isClient(given)) return [given, flagKeys]
  const { keys = flagKeys.keys, ...options } = given
  return [options as Options, { keys }]
}

export function featureOf(flagKey: string, { keys = {} }: FlagKeys): string {
  return Object.hasOwn(keys, flagKey) ? (keys[flagKey] as string) : flagKey
}

/** The keys of the flags that map to these features. */
export function flagsOf(features: Iterable<string>, { keys = {} }: FlagKeys): string[] {
  const changed = new Set(features)
  const renamed = Object.entries(keys).filter(([, feature]) => changed.has(feature))
  return [...changed, ...renamed.map(([flagKey]) => flagKey)]
}
