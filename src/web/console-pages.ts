/** The parts of the document that differ between the addresses of the console. */
export type ConsolePages = readonly {
  /** A regular expression of the path. */
  pattern: string
  /** Links in the head, which load the page's scripts. */
  head: string
  /** The page's outline, shown until its scripts run. */
  outline: string
}[]

/** The file of the build that contains the `ConsolePages`. It is not served as an asset. */
export const pagesName = 'pages.json'

/** The document for a path, without a nonce. */
export function completeDocument(document: string, pages: ConsolePages, path: string): string {
  const page = pages.find(({ pattern }) => new RegExp(pattern).test(path))
  return document.replace('%HEAD%', () => page?.head ?? '').replace('%OUTLINE%', () => page?.outline ?? '')
}
