import { globSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Rolldown } from 'vite'
import { type ConsolePages, pagesName } from '../../web/console-pages.ts'
import { sourceFolder } from '../../web/console-sources.ts'

type Chunk = Pick<Rolldown.OutputChunk, 'fileName' | 'facadeModuleId' | 'imports'>

/** A page: its address as the router has it, and the file of its component. */
type Route = { address: string; file: string | null; isInFrame: boolean }

const frameFile = join(sourceFolder, 'frame/organization-frame.tsx')

/**
 * Writes what the server adds to the document at each address: links that load the scripts of the page at once, beside the
 * first one, and the page's outline. Puts the early script into the document.
 */
export async function writePages(folder: string, chunks: readonly Chunk[], early: string): Promise<void> {
  const document = join(folder, 'index.html')
  const html = await readFile(document, 'utf8')
  await writeFile(document, html.replace('%EARLY%', `<script src="/${early}"></script>`))
  const pages: ConsolePages = findRoutes().map(({ address, file, isInFrame }) => {
    const files = [...(isInFrame ? [frameFile] : []), ...(file === null ? [] : [file])]
    const names = new Set(files.flatMap((each) => findScripts(each, chunks)))
    return {
      pattern: toPattern(address),
      head: Array.from(names, (name) => (html.includes(name) ? '' : preload(name))).join(''),
      outline: readFileSync(join(sourceFolder, 'outlines', `${outlineOf(address, isInFrame)}.html`), 'utf8').trim(),
    }
  })
  await writeFile(join(folder, pagesName), JSON.stringify(pages))
}

const preload = (name: string) => `<link rel="modulepreload" crossorigin href="/${name}">`

/** The routes as the files `routes.ts` declare them. */
export function findRoutes(): Route[] {
  const files = globSync('pages/*/routes.ts', { cwd: sourceFolder }).sort()
  return files.flatMap((name) => {
    const text = readFileSync(join(sourceFolder, name), 'utf8')
    return Array.from(text.matchAll(/createRoute\(\{(.*?)^\}\)/gms), ([, body = '']) => {
      const path = /^ {2}path: '([^']*)'/m.exec(body)?.[1]
      const file = /import\('([^']+)'\)/.exec(body)?.[1]
      if (path === undefined) throw new Error(`A route of ${name} has no path.`)
      const isInFrame = body.includes('=> organizationRoute')
      const address = isInFrame ? `/o/$organizationId/${path.replace(/^\//, '')}` : path
      return { address, file: file ? join(sourceFolder, dirname(name), file) : null, isInFrame }
    })
  })
}

/** The scripts that the file needs, with those that they import. */
function findScripts(file: string, chunks: readonly Chunk[]): string[] {
  const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === file)
  const found = new Set(chunk ? [chunk.fileName] : [])
  for (const name of found) {
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) found.add(imported)
  }
  return [...found]
}

/** As a regular expression: a parameter is one segment. */
function toPattern(address: string): string {
  return `^${address.replace(/\/$/, '').replaceAll(/\$\w+/g, '[^/]+')}/?$`
}

/** Which file of `outlines` has the page's shape. */
function outlineOf(address: string, isInFrame: boolean): string {
  if (!isInFrame) return 'plain'
  if (address.endsWith('/')) return 'overview'
  if (address.endsWith('/plans')) return 'matrix'
  return /\$\w+$/.test(address) ? 'object' : 'list'
}
