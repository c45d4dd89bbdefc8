type Environment = Readonly<Record<string, string | undefined>>

/** The variable with the key of a service account, for every program that calls the service. */
export const keyVariable = 'ENTITLEMENTS_API_KEY'

/** Names of earlier versions, which are read until 0.3. */
const earlierNames = ['ENT_API_KEY', 'ENTITLEMENTS_KEY']

/** The environment with the key under the variable's current name, and a hint for people who still use an earlier name. */
export function readKeyVariable<Env extends Environment>(env: Env): { env: Env; warning: string | null } {
  const earlier = env[keyVariable] ? undefined : earlierNames.find((name) => env[name])
  if (earlier === undefined) return { env, warning: null }
  return {
    env: { ...env, [keyVariable]: env[earlier] },
    warning: `${earlier} is called ${keyVariable} now. The earlier name is read until version 0.3.`,
  }
}
