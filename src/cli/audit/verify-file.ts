import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { reasonOf, StartupError } from '../../core/startup-error.ts'
import { ChainVerifier, type Finding, type KnownHash } from '../../recording/chain/chain-verifier.ts'
import { fromHeadFields, type SignedHead, type VerifyingKey } from '../../recording/chain/head.ts'
import { findSignatureFault, toObject } from './trusted-heads.ts'

const entryLine = z.object({
  kind: z.literal('entry'),
  organization_id: z.string(),
  position: z.int(),
  audit_event_id: z.string(),
  /** Null if the previous link is missing. */
  before: z.string().nullable(),
  hash: z.string(),
  entry: z.record(z.string(), z.string().nullable()).nullable(),
})

export type ReportFindings = (organizationId: string, findings: readonly Finding[]) => Promise<void>

type Options = {
  path: string
  /** Heads from other sources, of any organization. */
  heads: readonly SignedHead[]
  /** The keys that verify signatures; if null, signatures are not checked. */
  keys: readonly VerifyingKey[] | null
  /** The file begins after this position, unless it has a line of kind `cut`. */
  after: number
  report: ReportFindings
}

/** Checks an export; resolves to the number of its records. Reads it twice: heads come after the links that they cover. */
export async function verifyFile({ path, heads, keys, after, report }: Options): Promise<number> {
  const known = new Map<string, KnownHash[]>()
  const starts = new Map<string, KnownHash>()
  const checkHead = async (kind: 'head' | 'cut', head: SignedHead) => {
    const finding = findSignatureFault(kind, head, keys)
    if (finding) await report(head.organizationId, [finding])
    else if (kind === 'cut') starts.set(head.organizationId, head)
    else known.set(head.organizationId, [...(known.get(head.organizationId) ?? []), head])
  }
  for (const head of heads) await checkHead('head', head)
  for await (const line of linesOf(path)) {
    if (!line.startsWith('{"kind":"head"') && !line.startsWith('{"kind":"cut"')) continue
    const head = fromHeadFields(toObject(line) ?? {})
    if (head === null) throw unreadable(path, line)
    await checkHead(line.startsWith('{"kind":"head"') ? 'head' : 'cut', head)
  }
  const verifiers = new Map<string, ChainVerifier>()
  let records = 0
  for await (const line of linesOf(path)) {
    if (line.startsWith('{"kind":"head"') || line.startsWith('{"kind":"cut"')) continue
    const parsed = entryLine.safeParse(toObject(line))
    if (!parsed.success) throw unreadable(path, line)
    const { organization_id: organizationId, audit_event_id: id, position, before, hash, entry } = parsed.data
    let verifier = verifiers.get(organizationId)
    if (!verifier) {
      const start =
        starts.get(organizationId) ?? (after === 0 || before === null ? null : { position: after, hash: before })
      verifier = new ChainVerifier(organizationId, start, known.get(organizationId) ?? [])
      verifiers.set(organizationId, verifier)
    }
    verifier.add({ position, id, hash, columns: entry, ...(before !== null && { before }) })
    records += 1
    await report(organizationId, verifier.take())
  }
  // Organizations that have a head, but no record after the cut or after `--after`.
  for (const [organizationId, of] of known) {
    if (verifiers.has(organizationId)) continue
    const start = starts.get(organizationId) ?? (after === 0 ? null : { position: after, hash: null })
    verifiers.set(organizationId, new ChainVerifier(organizationId, start, of))
  }
  for (const [organizationId, verifier] of verifiers) {
    verifier.end()
    await report(organizationId, verifier.take())
  }
  return records
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const input = createReadStream(path)
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
      if (line !== '') yield line
  } catch (error) {
    throw new StartupError(`--file: ${path} cannot be read: ${reasonOf(error)}`)
  } finally {
    input.destroy()
  }
}

function unreadable(path: string, line: string): StartupError {
  return new StartupError(`--file: ${path} has a line that is not from audit:export: ${line.slice(0, 100)}`)
}
