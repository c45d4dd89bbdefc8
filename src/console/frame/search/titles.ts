import { hasWords } from './has-words.ts'

/** A page of the guides, or a section of one. */
export type Title = { page: string; heading: string; url: string }

const maxTitles = 5

/** The titles that contain the words of the text: pages first, then sections. */
export function findTitles(titles: readonly Title[], text: string): Title[] {
  return titles
    .filter(({ page, heading }) => hasWords(`${heading} ${page}`, text))
    .toSorted((one, other) => Number(one.heading !== '') - Number(other.heading !== ''))
    .slice(0, maxTitles)
}
