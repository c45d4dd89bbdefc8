import { frontPageFile, withAbsoluteLinks } from './addresses.ts'
import type { Documents } from './documents.ts'

/** The front page for language models: a list of the documents, with links to their Markdown. */
export function makeLlmsText({ texts }: Documents): string {
  const front = withAbsoluteLinks(texts.get(frontPageFile) as string, frontPageFile, (file) => texts.has(file))
  // In the file, paths of this server are code, because links to them would be dead on a code host.
  return front.replaceAll(/^- `(\/[^`]+)`/gm, '- [$1]($1)')
}

/** The front page, the guides and the contract in one text. */
export function makeFullText(documents: Documents): string {
  const { texts, listed } = documents
  const fullTextFiles = listed.filter((file) => file.startsWith('docs/guides/') || file === 'docs/contract.md')
  const parts = fullTextFiles.map((file) => {
    const text = withAbsoluteLinks(texts.get(file) as string, file, (other) => texts.has(other))
    return `<!-- /${file} -->\n\n${text}`
  })
  return [makeLlmsText(documents), ...parts].join('\n')
}
