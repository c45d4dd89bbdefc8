import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { StartupError } from '../core/startup-error.ts'
import { isOutage, markDatabaseError } from '../database/outage.ts'
import { withClient } from '../database/stored-tables.ts'
import { toHeadFields } from '../recording/chain/head.ts'
import { genesis } from '../recording/chain/link.ts'
import { readChain, readLinks, type StoredLink, toCut, toHead } from '../recording/chain/read-links.ts'
import { readOrganizationId, runCommand } from './command.ts'
import { onMigratedDatabase } from './on-database.ts'
import { writeLines } from './write-lines.ts'

/** How often new links are looked for, and a lost database. */
const followMs = 1_000
const statementMs = 60_000

await runCommand({
  help: `Usage: npm run --silent audit:export -- --organization ID [--after P] [--follow] > FILE

Prints the chain of an organization's audit log as NDJSON, which \`npm run audit:verify\` checks without the database: one line
{"kind":"entry",…} for each record, and a line {"kind":"head",…} at the end of what is chained. If AUDIT_RETENTION_DAYS cut the
beginning, a line {"kind":"cut",…} says where. The server may go on running.

  --organization ID   the organization
  --after P           begins after this position: that of the last line that you have
  --follow            goes on with new records as they come, until it is ended; connects again to a lost database`,
  options: { organization: { type: 'string' }, after: { type: 'string' }, follow: { type: 'boolean' } },
  check({ organization, after }) {
    readOrganizationId(organization)
    readPosition(after)
  },
  async runLong({ config, options }) {
    const organizationId = readOrganizationId(options.organization)
    const given = readPosition(options.after)
    await onMigratedDatabase(config, async ({ directUrl }) => {
      const follower = new Exporter(organizationId, given ?? 0, given === null)
      if (options.follow !== true) return onConnection(directUrl, (client) => follower.print(client))
      while (true) {
        try {
          await onConnection(directUrl, async (client) => {
            for (;;) {
              await follower.print(client)
              await wait(followMs)
            }
          })
        } catch (error) {
          if (error instanceof StartupError) throw error
          markDatabaseError(error)
          if (!isOutage(error)) throw error
          console.error('The database cannot be used. This is tried again.')
          await wait(followMs)
        }
      }
    })
    return ''
  },
})

/** The position from `--after`, or null. */
function readPosition(text: string | undefined): number | null {
  if (text === undefined) return null
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new StartupError(`--after must be a position, a whole number, but is ${JSON.stringify(text)}.`)
}

async function onConnection(url: string, use: (client: pg.Client) => Promise<void>): Promise<void> {
  await withClient({ url, purpose: 'audit export' }, async (client) => {
    await client.query(`set time zone 'UTC'; set statement_timeout = ${statementMs}`)
    await use(client)
  })
}

class Exporter {
  readonly #organizationId: string
  #position: number
  /** The hash of the last link that was printed; null before. */
  #before: string | null = null
  #withCut: boolean
  #headAt = -1

  constructor(organizationId: string, after: number, withCut: boolean) {
    this.#organizationId = organizationId
    this.#position = after
    this.#withCut = withCut
  }

  /** Prints what is chained now, and where that ends. */
  async print(client: pg.Client): Promise<void> {
    const organizationId = this.#organizationId
    const chain = await readChain(client, organizationId)
    if (chain === null) return assertOrganization(client, organizationId)
    const cut = toCut(organizationId, chain)
    if (cut && this.#position < cut.position) {
      if (!this.#withCut) throw new StartupError(`The retention has cut the chain up to position ${cut.position}.`)
      await writeLines([JSON.stringify({ kind: 'cut', ...toHeadFields(cut) })])
      this.#position = cut.position
      this.#before = cut.hash
    }
    const head = toHead(organizationId, chain)
    while (head && this.#position < head.position) {
      const links = await readLinks(client, organizationId, this.#position)
      const last = links.at(-1)
      if (last === undefined) break
      await writeLines(await this.#toLines(client, links))
      this.#position = last.position
      this.#withCut = false
    }
    if (!head || head.position === this.#headAt) return
    this.#headAt = head.position
    await writeLines([JSON.stringify({ kind: 'head', ...toHeadFields(head) })])
  }

  async #toLines(client: pg.Client, links: readonly StoredLink[]): Promise<string[]> {
    let before = this.#before ?? (await this.#findBefore(client))
    const lines = links.map(({ position, id, isPending, hash, columns }) => {
      const line = { position, audit_event_id: id, is_pending: isPending, before, hash, entry: columns }
      before = hash
      return JSON.stringify({ kind: 'entry', organization_id: this.#organizationId, ...line })
    })
    this.#before = before
    return lines
  }

  async #findBefore(client: pg.Client): Promise<string | null> {
    if (this.#position === 0) return genesis
    const { rows } = await client.query<{ hash: string }>(
      `select hash from audit_link where organization_id = $1 and position = $2
       union all
       select cut_hash from audit_chain where organization_id = $1 and cut_position = $2`,
      [this.#organizationId, this.#position],
    )
    return rows[0]?.hash ?? null
  }
}

async function assertOrganization(client: pg.Client, organizationId: string): Promise<void> {
  const { rows } = await client.query('select from organization where organization_id = $1', [organizationId])
  if (rows.length === 0) throw new StartupError(`There is no organization ${organizationId} in this database.`)
}
