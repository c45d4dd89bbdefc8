import { type Proof, prove } from './prove.ts'
import { spanningStatements } from './spanning-statements.ts'
import { tablesOfDeployment, tablesOfPersons } from './tables.ts'

const otherTables = new Set([...tablesOfPersons, ...tablesOfDeployment])

/**
 * Checks that each sent statement concerns one organization, or is in the list of exceptions. Collects the findings until they
 * are requested.
 */
export class TenancyChecker {
  readonly #tables: ReadonlySet<string>
  readonly #parameters = new Map<string, readonly number[]>()
  #faults: string[] = []

  /** Call it with the names of the tables that have the column `organization_id`. */
  constructor(tables: readonly string[]) {
    this.#tables = new Set(tables.filter((table) => !otherTables.has(table)))
  }

  check(text: string, values?: readonly unknown[]): void {
    const parameters = this.#parameters.get(text) ?? this.#read(text)
    if (!values || parameters.length < 2) return
    if (new Set(parameters.map((number) => values[number - 1])).size > 1) {
      this.#faults.push(`$${parameters.join(', $')} are different organizations, not one, in:\n${text}`)
    }
  }

  takeFaults(): string[] {
    const faults = this.#faults
    this.#faults = []
    return faults
  }

  #read(text: string): readonly number[] {
    const isListed = spanningStatements.some(({ sent }) => text.includes(sent))
    const proof = isListed ? null : this.#prove(text)
    const parameters = proof?.parameters ?? []
    this.#parameters.set(text, parameters)
    if (proof) this.#faults.push(...faultsOf(proof).map((fault) => `${fault}:\n${text}`))
    return parameters
  }

  #prove(text: string): Proof | null {
    try {
      return prove(text, this.#tables)
    } catch (error) {
      this.#faults.push(`${error}, in:\n${text}`)
      return null
    }
  }
}

function faultsOf({ unbound, others }: Proof): string[] {
  const unknown = others.filter((name) => !otherTables.has(name) && !/^(pgboss\.|pg_|pg_catalog\.)/.test(name))
  return [
    ...(unbound.length > 0 ? [`may concern several organizations in ${unbound.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`is about ${unknown.join(', ')}`] : []),
  ]
}
