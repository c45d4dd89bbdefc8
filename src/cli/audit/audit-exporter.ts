import type pg from 'pg'
import { writeLines } from '../../core/print.ts'
import { StartupError } from '../../core/startup-error.ts'
import { beginSnapshot } from '../../database/stored-tables.ts'
import { toHeadFields } from '../../recording/chain/head.ts'
import { genesis } from '../../recording/chain/link.ts'
import { readChain, readLinks, type StoredLink, toHead, toSignedCut } from '../../recording/chain/read-links.ts'

/** Prints an organization's chain, and remembers up to which position it has printed. */
export class AuditExporter {
  readonly #organizationId: string
  #position: number
  /** The hash of the last link that was printed; null before the first one. */
  #before: string | null = null
  #withCut: boolean
  #headAt = -1

  constructor(organizationId: string, after: number, mayPrintCut: boolean) {
    this.#organizationId = organizationId
    this.#position = after
    this.#withCut = mayPrintCut
  }

  /**
   * Prints the links that it has not printed yet, and the head after them, from one snapshot, because old links may be deleted
   * meanwhile.
   */
  async print(client: pg.Client): Promise<void> {
    await client.query(beginSnapshot)
    await this.#printChain(client)
    await client.query('commit')
  }

  async #printChain(client: pg.Client): Promise<void> {
    const organizationId = this.#organizationId
    const chain = await readChain(client, organizationId)
    if (chain === null) return assertOrganization(client, organizationId)
    const cut = toSignedCut(organizationId, chain)
    if (cut && this.#position < cut.position) {
      if (!this.#withCut)
        throw new StartupError(
          `The chain begins after position ${cut.position}: earlier entries have passed their retention time, or the key that signed them was lost.`,
        )
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
    let previousHash = this.#before ?? (await this.#findBefore(client))
    const lines = links.map(({ position, id, isPending, hash, columns }) => {
      const line = { position, audit_event_id: id, is_pending: isPending, before: previousHash, hash, entry: columns }
      previousHash = hash
      return JSON.stringify({ kind: 'entry', organization_id: this.#organizationId, ...line })
    })
    this.#before = previousHash
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
