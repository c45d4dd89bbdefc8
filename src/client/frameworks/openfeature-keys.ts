/** Maps keys of flags that cannot be keys of features, such as those with dots. */
export type FlagKeys = {
  /**
   * The feature's key by the flag's, such as `{ 'alternate.page': 'alternate-page' }`. For other flags, the feature has the
   * flag's key.
   */
  keys?: { readonly [flagKey: string]: string } | undefined
}

/**
 * Separates the arguments of a provider from the keys of its flags. Beside a client of your own, the keys are a second
 * argument. In options they are one of the properties, which is removed: a client does not know `keys`.
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

/** The flags that show these features. */
export function flagsOf(features: Iterable<string>, { keys = {} }: FlagKeys): string[] {
  const changed = new Set(features)
  const renamed = Object.entries(keys).filter(([, feature]) => changed.has(feature))
  return [...changed, ...renamed.map(([flagKey]) => flagKey)]
}
