import { type Document, isNode, LineCounter, parseDocument, visit } from 'yaml'
import { Problem } from '../problem.ts'

/** A mistake in the file, and its line. */
type Fault = { line: number; message: string }

type Path = readonly string[]

export type ParsedYaml = {
  document: Document
  /** Records a fault at `plans.pro.grants.seats`. */
  refuse(path: Path, message: string): void
  /** Throws a Problem with all faults, in the order of the lines. */
  assertNoFaults(): void
}

/** Shows at most this many faults: nobody corrects more at a time. */
const maxShown = 50

/**
 * Parses YAML 1.2 with merge keys (`<<`), in which every key is a string. Each message begins with `name`:
 * `entitlements.yaml:12`.
 */
export function parseYaml(text: string, name: string): ParsedYaml {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, merge: true, stringKeys: true, prettyErrors: false })
  const faults: Fault[] = document.errors.map(({ pos: [start], message }) => ({
    line: lines.linePos(start).line,
    message,
  }))

  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document)) return
      const line = lines.linePos(alias.range?.[0] ?? 0).line
      faults.push({ line, message: `There is no anchor &${alias.source} before *${alias.source}.` })
    },
  })

  function assertNoFaults(): void {
    if (faults.length === 0) return
    const sorted = faults.toSorted((a, b) => a.line - b.line)
    const shown = sorted.slice(0, maxShown).map(({ line, message }) => `${name}:${line}: ${message}`)
    const more = sorted.length > maxShown ? [`… and ${sorted.length - maxShown} more`] : []
    throw new Problem([...shown, ...more], { code: 'INVALID_FILE', details: { file: name, faults: sorted } })
  }

  assertNoFaults()
  return {
    document,
    assertNoFaults,
    refuse(path, message) {
      const subject = path.length === 0 ? 'The file' : path.join('.')
      faults.push({ line: lines.linePos(startOf(document, path)).line || 1, message: `${subject} ${message}` })
    },
  }
}

/** The position of the value at the path. A value from an alias has none, so this returns the position of its parent. */
function startOf(document: Document, path: Path): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return 0
}
