import type { OpenApiDocument } from '../openapi/document.ts'
import { addressOf } from './addresses.ts'
import type { Documents } from './documents.ts'
import { sectionsOf } from './markdown.ts'

/** An entry of the index that the search of the guides reads. */
type SearchEntry = { page: string; heading: string; url: string; text: string }

/** Creates an entry for each section of the searched documents, and for each operation of the REST API. */
export function makeSearchIndex({ texts, searched }: Documents, { paths }: OpenApiDocument): SearchEntry[] {
  return [...searched.flatMap((file) => itemsOf(file, texts.get(file) as string)), ...operationItems(paths)]
}

/** The index without the texts, which is small enough for the console's search. */
export function titlesOf(index: readonly SearchEntry[]): Omit<SearchEntry, 'text'>[] {
  return index.map(({ text: _, ...title }) => title)
}

function itemsOf(file: string, text: string): SearchEntry[] {
  const [first, ...sections] = sectionsOf(text)
  if (!first) return []
  const address = addressOf(file)
  const page = first.heading
  const items = sections.map(({ heading, anchor, text }) => ({ page, heading, url: `${address}#${anchor}`, text }))
  return [{ page, heading: '', url: address, text: first.text }, ...items]
}

function operationItems(paths: OpenApiDocument['paths']): SearchEntry[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary, description }]) => ({
      page: 'REST reference',
      heading: `${method.toUpperCase()} ${path}`,
      url: `/docs/reference#${operationId}`,
      text: `${operationId}: ${summary} ${description}`.replaceAll('`', ''),
    })),
  )
}
