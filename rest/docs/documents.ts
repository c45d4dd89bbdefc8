import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OpenApiDocument } from '../openapi/document.ts'
import { frontFile, targetOf } from './addresses.ts'
import { type Group, groupsOf, type Links } from './markdown.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The Markdown below `docs`. */
export type Documents = {
  /** By their paths in the repository, such as `docs/guides/limits.md`. */
  texts: ReadonlyMap<string, string>
  /** What the front page lists. Documents that it does not list have a page, but are not searched. */
  groups: readonly Group[]
  /** The documents that the front page lists, in its order. */
  listed: readonly string[]
}

/** Null in an installation without these files. */
export function readDocuments(): Documents | null {
  if (!existsSync(join(root, frontFile))) return null
  const files = globSync('docs/**/*.md', { cwd: root }).map((file) => file.replaceAll('\\', '/'))
  const texts = new Map(files.toSorted().map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const groups = groupsOf(texts.get(frontFile) as string)
  const listed = groups.flatMap(({ entries }) => entries.map(({ href }) => targetOf(href, frontFile).file as string))
  return { texts, groups, listed: listed.filter((file) => texts.has(file)) }
}

/** Code that names an operation or an address of this server leads to it. */
export function linksOf({ texts }: Documents, { paths }: OpenApiDocument): Links {
  const named = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [
        `${method.toUpperCase()} ${path}`,
        `/docs/reference#${operationId}`,
      ]),
    ),
  )
  return {
    isServed: (file) => texts.has(file),
    findNamed: (code) =>
      named.get(code) ?? (/^\/(docs|openapi\.json|llms(-full)?\.txt)\b/.test(code) ? code : undefined),
  }
}
