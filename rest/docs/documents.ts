import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OpenApiDocument } from '../openapi/document.ts'
import { changelogFile, frontPageFile, targetOf } from './addresses.ts'
import { type Group, groupsOf, type Links } from './markdown.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The Markdown files in `docs`, and the changelog. */
export type Documents = {
  /** The texts by path in the repository, such as `docs/guides/limits.md`. */
  texts: ReadonlyMap<string, string>
  /** The documents that the front page lists, by heading. Other documents have a page too. */
  groups: readonly Group[]
  /** The paths of the documents in `groups`. */
  listed: readonly string[]
  /** The paths of the documents that the search covers: those in `listed`, and the pages for operators. */
  searched: readonly string[]
}

/** Reads all documents; null in an installation without the documentation files. */
export function readDocuments(): Documents | null {
  if (!existsSync(join(root, frontPageFile))) return null
  const files = globSync(['docs/**/*.md', changelogFile], { cwd: root }).map((file) => file.replaceAll('\\', '/'))
  const texts = new Map(files.toSorted().map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const groups = groupsOf(texts.get(frontPageFile) as string)
  const listed = groups
    .flatMap(({ entries }) => entries.map(({ href }) => targetOf(href, frontPageFile).file as string))
    .filter((file) => texts.has(file))
  const forOperators = [...texts.keys()].filter((file) => file.startsWith('docs/operations/'))
  return { texts, groups, listed, searched: [...new Set([...listed, ...forOperators])] }
}

/** In documents, code that names an operation or an address of this server becomes a link. */
export function findLinks({ texts }: Documents, { paths }: OpenApiDocument): Links {
  const operationAddresses = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [
        `${method.toUpperCase()} ${path}`,
        `/docs/reference#${operationId}`,
      ]),
    ),
  )
  return {
    isServed: (file) => texts.has(file),
    findNamedAddress: (code) =>
      operationAddresses.get(code) ??
      (/^\/(docs|openapi(-3\.0)?\.json|llms(-full)?\.txt)\b/.test(code) ? code : undefined),
  }
}
