type Environment = Readonly<Record<string, string | undefined>>

/** The environment variable from which every program that calls the service reads a service account's key. */
export const keyVariable = 'ENTITLEMENTS_API_KEY'

/** The variable's names in earlier versions. They are read until version 0.3. */
const earlierNames = ['ENT_API_KEY', 'ENTITLEMENTS_KEY']

/** The environment with the key under the variable's current name, and a warning if it had an earlier name. */
export function readKeyVariable<Env extends Environment>(env: Env): { env: Env; warning: string | null } {
  const earlier = env[keyVariable] ? undefined : earlierNames.find((name) => env[name])
  if (earlier === undefined) return { env, warning: null }
  return {
    env: { ...env, [keyVariable]: env[earlier] },
    warning: `${earlier} is called ${keyVariable} now. The earlier name is read until version 0.3.`,
  }
}
