import pg from 'pg'

/** A statement as the service sent it, and the values of its parameters. */
type OnSent = (text: string, values: readonly unknown[]) => void

const service = 'entitlements-service'

/** The variable with the file to which the processes that tests start append each statement when they first send it. */
export const statementsFileVariable = 'SENT_STATEMENTS'

const child = new URL('child.ts', import.meta.url).pathname

/** Node's options with which a process of the service reports its statements to the test that starts it. */
export function optionsForReporting(): { execArgv: string[]; env: Record<string, string> } {
  const file = process.env[statementsFileVariable]
  return file === undefined
    ? { execArgv: [], env: {} }
    : { execArgv: ['--import', child], env: { [statementsFileVariable]: file } }
}

/**
 * Calls back with each statement that this process sends on a connection of the service, which has the service's name.
 * Connections of tests (`createTestDatabaseClient`) and of migrations have other names.
 */
export function followStatements(onSent: OnSent): void {
  const send = pg.Client.prototype.query
  pg.Client.prototype.query = function (this: pg.Client, query: unknown, ...rest: unknown[]) {
    const { application_name: name } = (this as unknown as Connection).connectionParameters
    if (name === service || name === `${service} listener`) {
      const { text, values } = typeof query === 'string' ? { text: query } : (query as Partial<pg.QueryConfig>)
      const parameters = values ?? (Array.isArray(rest[0]) ? rest[0] : [])
      if (text !== undefined) onSent(text, parameters)
    }
    return Reflect.apply(send, this, [query, ...rest])
  } as typeof send
}

type Connection = { connectionParameters: { application_name?: string } }
