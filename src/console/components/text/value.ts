/** What a plan or an override gives for one feature. */
export type Value =
  | { kind: 'FLAG'; allowed: boolean }
  /** null is unlimited. */
  | { kind: 'LIMIT'; limit: number | null }
  | { kind: 'CONFIG'; value: unknown }
