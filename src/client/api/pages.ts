/** A list: `await` it for its first page, or iterate over it for the items of all pages. */
export type Pages<Page, Item> = Promise<Page> & AsyncIterable<Item>

type PageOptions = {
  /** The property of a page with its items. */
  items: string
  /** The property of an item with its id; absent if the list has no pages. */
  id: string | undefined
  /** Reads the first page, or the page after an id. */
  read(after: string | undefined): Promise<Record<string, unknown>>
}

/** Requests the first page at once, and each further page when the iteration reaches it. */
export function pagesOf({ items, id, read }: PageOptions): Pages<unknown, unknown> {
  const first = read(undefined)
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      for (let page = await first; ; ) {
        const listed = page[items] as Record<string, string>[]
        yield* listed
        const last = listed[listed.length - 1]
        if (!page.has_more || !id || !last) return
        page = await read(last[id])
      }
    },
  })
}
