import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'oxc-parser'
import { partOf } from './parts.ts'

/** One file that imports another, for its values or only for its types. A dynamic import runs when it is needed. */
export type Import = { from: string; to: string; isType: boolean; isDynamic: boolean }

/** Excludes what workspace packages have inside the searched folders: installed packages and built files. */
const excludedPatterns = ['**/node_modules/**', '**/dist/**']

const allFiles = globSync('{src,rest,worker,test}/**/*.{ts,tsx}', { exclude: excludedPatterns }).filter(
  (file) => !isGeneratedFile(file),
)

export const allImports: readonly Import[] = allFiles.flatMap(readImports)

/** The files of the server. */
export const files = allFiles.filter((file) => partOf(file) === 'server')

export const imports = allImports.filter(({ from }) => partOf(from) === 'server')

export function isGeneratedFile(file: string): boolean {
  return file.startsWith('src/database/generated/')
}

/** The files of the console, without the types that are generated from the schema. */
export const consoleFiles = allFiles.filter((file) => {
  return partOf(file) === 'console' && !file.startsWith('src/console/generated/')
})

/** The files of the client, without those that are generated from the REST API's description. */
export const clientFiles = allFiles.filter((file) => {
  return partOf(file) === 'client' && !file.startsWith('src/client/api/generated/')
})

/** The files of the command line. */
export const cliFiles = allFiles.filter((file) => partOf(file) === 'cli')

export const cliImports = allImports.filter(({ from }) => partOf(from) === 'cli')

export const consoleImports = allImports.filter(({ from }) => partOf(from) === 'console')

function readImports(from: string): Import[] {
  const { module, errors } = parseSync(from, readFileSync(from, 'utf8'))
  if (errors.length > 0) throw new Error(`${from}: ${errors[0]?.message}`)
  const { staticImports, staticExports, dynamicImports } = module
  const found = [
    ...staticImports.map(({ moduleRequest, entries }) => ({
      request: moduleRequest.value,
      isType: entries.length > 0 && entries.every(({ isType }) => isType),
      isDynamic: false,
    })),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => {
        return moduleRequest ? [{ request: moduleRequest.value, isType, isDynamic: false }] : []
      }),
    ),
    ...dynamicImports.map(({ moduleRequest }) => ({
      request: readFileSync(from, 'utf8').slice(moduleRequest.start + 1, moduleRequest.end - 1),
      isType: false,
      isDynamic: true,
    })),
  ]
  return found
    .filter(({ request }) => request.startsWith('.'))
    .map(({ request, ...kind }) => ({ from, to: normalize(join(dirname(from), request)), ...kind }))
}

/** Returns the strongly connected components with more than one node: each of their nodes leads back to itself. */
export function findCycles(edges: Iterable<readonly [from: string, to: string]>): string[][] {
  const next = new Map<string, Set<string>>()
  for (const [from, to] of edges) {
    if (from === to) continue
    if (!next.has(from)) next.set(from, new Set())
    next.get(from)?.add(to)
  }
  const reach = new Map([...next.keys()].map((node) => [node, reachableFrom(node, next)]))
  const cycles = new Map<string, string[]>()
  for (const [node, reached] of reach) {
    if (!reached.has(node)) continue
    const cycle = [...reached].filter((other) => reach.get(other)?.has(node)).sort()
    cycles.set(cycle.join(), cycle)
  }
  return [...cycles.values()]
}

/** Returns the nodes to which edges lead from `start`, directly or through others. */
export function reachableFrom(start: string, next: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>()
  const waiting = [...(next.get(start) ?? [])]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (reached.has(node)) continue
    reached.add(node)
    waiting.push(...(next.get(node) ?? []))
  }
  return reached
}
