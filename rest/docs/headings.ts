/** The anchor that code hosts generate from a heading, so that links to headings work both there and here. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}

/** Returns a function that numbers repeated anchors of one page, as code hosts do. */
export function createAnchorNumbering(): (heading: string) => string {
  const counts = new Map<string, number>()
  return (heading) => {
    const anchor = toAnchor(heading)
    const count = counts.get(anchor) ?? 0
    counts.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  }
}

/** The text of a heading or paragraph without the syntax of Markdown. */
export function withoutMarkdown(markdown: string): string {
  return markdown
    .replaceAll(/<!--[\s\S]*?-->/g, ' ')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\s*(```\w*|\|?[\s|:-]+\||[#>*-]+ )/gm, ' ')
    .replaceAll(/`|\*\*/g, '')
    .replaceAll('|', ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
