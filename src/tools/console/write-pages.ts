import { globSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Argument, type Expression, parseSync, Visitor } from 'oxc-parser'
import type { Rolldown } from 'vite'
import { type ConsolePages, pagesName } from '../../web/console-pages.ts'
import { sourceFolder } from '../../web/console-sources.ts'

type Chunk = Pick<Rolldown.OutputChunk, 'fileName' | 'facadeModuleId' | 'imports'>

/** A page: its address in the router's notation, and the file of its component. */
type Route = { address: string; file: string | null; isInFrame: boolean }

const frameFile = join(sourceFolder, 'frame/organization-frame.tsx')

/**
 * Writes the parts that the server adds to the document at each address: the page's outline, and links that load the page's
 * scripts at the same time as the first script. Puts the early script into the document.
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
      outline: readFileSync(join(sourceFolder, 'outlines', `${outlineNameOf(address, isInFrame)}.html`), 'utf8').trim(),
    }
  })
  await writeFile(join(folder, pagesName), JSON.stringify(pages))
}

const preload = (name: string) => `<link rel="modulepreload" crossorigin href="/${name}">`

/** Parses the routes from the files `routes.ts`, because the router itself has functions instead of the files of pages. */
export function findRoutes(): Route[] {
  const files = globSync('pages/*/routes.ts', { cwd: sourceFolder }).sort()
  return files.flatMap((name) => {
    const file = join(sourceFolder, name)
    const routes: Route[] = []
    new Visitor({
      CallExpression({ callee, arguments: [options] }) {
        if (callee.type !== 'Identifier' || callee.name !== 'createRoute') return
        routes.push({ ...toAddress(propertiesOf(options), name), file: null })
      },
      ImportExpression({ source }) {
        const route = routes.at(-1)
        if (route && source.type === 'Literal') route.file = join(dirname(file), String(source.value))
      },
    }).visit(parseSync(file, readFileSync(file, 'utf8')).program)
    return routes
  })
}

type Properties = Record<string, Expression>

function propertiesOf(options: Argument | undefined): Properties {
  const properties = options?.type === 'ObjectExpression' ? options.properties : []
  const named = properties.flatMap((each) =>
    each.type === 'Property' && each.key.type === 'Identifier' ? [[each.key.name, each.value] as const] : [],
  )
  return Object.fromEntries(named)
}

function toAddress({ path, getParentRoute: parent }: Properties, name: string): Omit<Route, 'file'> {
  if (path?.type !== 'Literal') throw new Error(`A route of ${name} has no path.`)
  const isArrow = parent?.type === 'ArrowFunctionExpression'
  const isInFrame = isArrow && parent.body.type === 'Identifier' && parent.body.name === 'organizationRoute'
  const address = String(path.value)
  return { address: isInFrame ? `/o/$organizationId/${address.replace(/^\//, '')}` : address, isInFrame }
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

/** The address as a regular expression: a parameter is one segment. */
function toPattern(address: string): string {
  return `^${address.replace(/\/$/, '').replaceAll(/\$\w+/g, '[^/]+')}/?$`
}

/** The name of the outline that has the shape of the page. */
function outlineNameOf(address: string, isInFrame: boolean): string {
  if (!isInFrame) return 'plain'
  if (address.endsWith('/')) return 'overview'
  if (address.endsWith('/plans')) return 'matrix'
  return /\$\w+$/.test(address) ? 'object' : 'list'
}
