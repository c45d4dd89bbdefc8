import { type Columns, genesis, hashLink } from './link.ts'

export type Finding = {
  kind: 'changed' | 'missing' | 'inserted' | 'reordered' | 'cut off' | 'unknown key'
  /** The link's position, or that of the first of several links in a row; null for a finding without a position. */
  position: number | null
  /** The position of the last of several links in a row. */
  until?: number
  /** The id of the entry, or the kind of signed statement. */
  id: string | null
}

/** A link as it was read; `before` is the previous hash, if the source contains it. */
export type LinkAsRead = { position: number; id: string; hash: string; columns: Columns | null; before?: string }

/** A position whose hash is known from another source. */
export type KnownHash = { position: number; hash: string }

type UnknownHash = { position: number; hash: null }

/** A link whose hash does not fit. `computed` is the hash that its entry would have after the previous hash. */
type Suspect = LinkAsRead & { columns: Columns; previous: string; computed: string }

const maxSuspects = 100
const maxSuspectBytes = 16 * 1024 * 1024

/** Checks the links of one organization one after the other, and finds faults. Keeps a bounded number of links in memory. */
export class ChainVerifier {
  readonly #organizationId: string
  readonly #heads: Map<number, KnownHash[]>
  readonly #highest: number
  readonly #findings: Finding[] = []
  #gaps: { from: number; to: number }[] = []
  #suspects: Suspect[] = []
  #suspectBytes = 0
  #last: KnownHash | UnknownHash

  /** The links begin after `start`. */
  constructor(organizationId: string, start: KnownHash | UnknownHash | null, heads: readonly KnownHash[]) {
    this.#organizationId = organizationId
    this.#heads = Map.groupBy(heads, ({ position }) => position)
    this.#highest = heads.reduce((highest, { position }) => Math.max(highest, position), 0)
    this.#last = start ?? { position: 0, hash: genesis }
    this.#compare(this.#last)
  }

  get position(): number {
    return this.#last.position
  }

  add(link: LinkAsRead): void {
    const { position } = this.#last
    if (link.position <= position) {
      this.#addOutOfOrder(link)
      return
    }
    if (link.position > position + 1) {
      this.#gaps.push({ from: position + 1, to: link.position - 1 })
      this.#last = { position: link.position - 1, hash: null }
    }
    this.#check(link)
    this.#last = { position: link.position, hash: link.hash }
    this.#compare(this.#last)
  }

  /** Returns the findings since the last call. Call `end` before the last call, so that no finding is missing. */
  take(): Finding[] {
    return this.#findings.splice(0)
  }

  end(): void {
    for (const { from, to } of this.#gaps) this.#report('missing', from, null, to)
    this.#gaps = []
    this.#resolveSuspects()
    if (this.#last.position < this.#highest) this.#report('cut off', this.#last.position + 1, null, this.#highest)
  }

  /** Adds a link whose position has already been passed: either it fills a gap, or it was inserted. */
  #addOutOfOrder({ position, id }: LinkAsRead): void {
    const gap = this.#gaps.find(({ from, to }) => from <= position && position <= to)
    this.#report(gap ? 'reordered' : 'inserted', position, id)
    if (!gap) return
    const remainingGaps = [
      { from: gap.from, to: position - 1 },
      { from: position + 1, to: gap.to },
    ]
    this.#gaps = this.#gaps.flatMap((each) =>
      each === gap ? remainingGaps.filter(({ from, to }) => from <= to) : each,
    )
  }

  #check({ columns, ...link }: LinkAsRead): void {
    const organizationId = this.#organizationId
    if (columns === null) {
      this.#report('missing', link.position, link.id)
      return
    }
    const previous = this.#last.hash ?? link.before
    // The previous hash is unknown after a gap, and the gap is reported anyway.
    if (previous === undefined) return
    const contents = { organizationId, position: link.position, columns }
    const computed = hashLink(contents, previous)
    const isPreviousHashRight = link.before === undefined || this.#last.hash === null || link.before === this.#last.hash
    const isOfEntry = columns.audit_event_id === link.id && columns.organization_id === organizationId
    if (computed === link.hash && isPreviousHashRight && isOfEntry) return
    // The link itself fits if it follows another suspect: only the suspect was changed or moved.
    const others = this.#suspects.slice(-8).flatMap(({ hash, computed }) => [hash, computed])
    if (isPreviousHashRight && isOfEntry && others.some((other) => hashLink(contents, other) === link.hash)) return
    this.#suspect({ ...link, columns, previous, computed })
  }

  #suspect(suspect: Suspect): void {
    this.#suspects.push(suspect)
    this.#suspectBytes += suspect.columns.details?.length ?? 0
    if (this.#suspects.length >= maxSuspects || this.#suspectBytes >= maxSuspectBytes) this.#resolveSuspects()
  }

  /** Reports the suspects: as reordered if they would fit in each other's positions, otherwise as changed. */
  #resolveSuspects(): void {
    const organizationId = this.#organizationId
    const suspects = this.#suspects
    const hashes = new Set(suspects.flatMap(({ hash, computed }) => [hash, computed]))
    const faultyLinks = suspects.filter(({ position, columns, hash, id }) => {
      if (columns.audit_event_id !== id) return true
      return ![...hashes].some((before) => hashLink({ organizationId, position, columns }, before) === hash)
    })
    const isMoved = new Set<Suspect>()
    for (const link of faultyLinks) {
      const { position, previous, hash } = link
      for (const other of faultyLinks) {
        const otherHash = hashLink({ organizationId, position, columns: other.columns }, previous)
        if (other === link || (otherHash !== hash && otherHash !== other.hash)) continue
        isMoved.add(link).add(other)
      }
    }
    for (const suspect of faultyLinks)
      this.#report(isMoved.has(suspect) ? 'reordered' : 'changed', suspect.position, suspect.id)
    this.#suspects = []
    this.#suspectBytes = 0
  }

  #compare({ position, hash }: KnownHash | UnknownHash): void {
    for (const head of this.#heads.get(position) ?? [])
      if (hash !== null && head.hash !== hash) this.#report('changed', position, 'head')
  }

  #report(kind: Finding['kind'], position: number | null, id: string | null, until?: number): void {
    this.#findings.push({ kind, position, id, ...(until !== undefined && until !== position && { until }) })
  }
}

/** A line of the output of `audit:verify`: kind, organization, position, entry. */
export function toLine(organizationId: string, { kind, position, until, id }: Finding): string {
  const positions = until === undefined ? `${position ?? '-'}` : `${position}-${until}`
  return [kind, organizationId, positions, id ?? '-'].join('\t')
}
