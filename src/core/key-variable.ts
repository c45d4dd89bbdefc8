type Environment = Readonly<Record<string, string | undefined>>

/** The variable with the key of a service account, for everything that asks the service. */
export const keyVariable = 'ENTITLEMENTS_API_KEY'

/** Its names in earlier versions, which are read until 0.3. */
const earlierNames = ['ENT_API_KEY', 'ENTITLEMENTS_KEY']

/** The environment with the variable under its name, and what to tell somebody who still uses an earlier one. */
export function readKeyVariable<Env extends Environment>(env: Env): { env: Env; warning: string | null } {
  const earlier = env[keyVariable] ? undefined : earlierNames.find((name) => env[name])
  if (earlier === undefined) return { env, warning: null }
  return {
    env: { ...env, [keyVariable]: env[earlier] },
    warning: `${earlier} is called ${keyVariable} now. The earlier name is read until version 0.3.`,
  }
}
