/**
 * The features of your catalog. `entitlements types` writes a file that adds them, so that a misspelled key does not compile:
 *
 * ```ts
 * declare module '@entitlements-service/client' {
 *   interface Features {
 *     export: { kind: 'flag' }
 *     seats: { kind: 'limit' }
 *     region: { kind: 'config'; value: 'eu-west' | 'us-east' }
 *   }
 * }
 * ```
 */
// biome-ignore lint/suspicious/noEmptyInterface: the vendor's declarations fill it.
export interface Features {}

type KeysOf<Kind> = {
  [Key in keyof Features]: Features[Key] extends { kind: Kind } ? Key : never
}[keyof Features]

/** While `Features` declares no key, any string is a key. */
type KeysOrString<Keys> = [keyof Features] extends [never] ? string : Extract<Keys, string>

/** The key of a feature. Without the generated file, any string is a key. */
export type FeatureKey = KeysOrString<keyof Features>
/** The key of a feature of kind `limit`. */
export type LimitKey = KeysOrString<KeysOf<'limit'>>
/** The key of a feature of kind `config`. */
export type ConfigKey = KeysOrString<KeysOf<'config'>>

/** The type of a config's value. */
export type ConfigValue<Key> = Key extends keyof Features
  ? Features[Key] extends { value: infer Value }
    ? Value
    : unknown
  : unknown
