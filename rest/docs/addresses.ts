import { posix } from 'node:path'

/** The front page of the guides: the index of their folder on a code host, and `/docs` on a server. */
export const frontPageFile = 'docs/guides/README.md'

/** The changelog. It is not in `docs`, because people look for it next to the README. */
export const changelogFile = 'CHANGELOG.md'

/** The address of a document's page: `/docs/guides/limits` for `docs/guides/limits.md`. */
export function addressOf(file: string): string {
  if (file === changelogFile) return '/docs/changelog'
  return file === frontPageFile ? '/docs' : `/${file.replace(/\.md$/, '')}`
}

/** The target of a link in a document: a file of the repository with an anchor, or another address (`file` is null). */
export type Target = { file: string | null; anchor: string }

export function targetOf(href: string, from: string): Target {
  if (/^[a-z]+:/i.test(href)) return { file: null, anchor: '' }
  const [path = '', anchor] = href.split('#')
  const file = path === '' ? from : posix.join(posix.dirname(from), path)
  return { file, anchor: anchor === undefined ? '' : `#${anchor}` }
}

/** Makes links between documents absolute, so that outside the repository they lead to the Markdown on this server. */
export function withAbsoluteLinks(markdown: string, from: string, isServed: (file: string) => boolean): string {
  return markdown.replaceAll(/\]\(([^)\s]+)\)/g, (link, href: string) => {
    const { file, anchor } = targetOf(href, from)
    return file !== null && isServed(file) ? `](/${file}${anchor})` : link
  })
}
