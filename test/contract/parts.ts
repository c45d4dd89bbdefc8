import { existsSync } from 'node:fs'

/**
 * The parts that are compiled separately, each with a tsconfig.json in its folder, and the parts that each may import from.
 */
const importable = {
  server: [],
  client: [],
  cli: ['client'],
  console: ['client'],
  test: ['server', 'console', 'client', 'cli'],
} as const satisfies Record<string, readonly string[]>

type Part = keyof typeof importable

export const folders: Record<Part, string> = {
  server: 'src',
  client: 'src/client',
  cli: 'src/entitlements-cli',
  console: 'src/console',
  test: 'test',
}

export const existingParts = (Object.keys(folders) as Part[]).filter((part) => existsSync(folders[part]))

export function partOf(file: string): Part {
  if (file.startsWith('src/client/')) return 'client'
  if (file.startsWith('src/entitlements-cli/')) return 'cli'
  if (file.startsWith('src/console/')) return 'console'
  return file.startsWith('test/') ? 'test' : 'server'
}

/** Files that are compiled with each part that imports them, so that all commands and the console have the same rules. */
export const sharedCoreFiles = [
  ...['catalog', 'compare', 'grants-body', 'previewable', 'steps'].map((name) => `catalog/${name}`),
  'command-line',
  'completion',
  'file-format',
  ...['csv', 'mapping', 'override', 'refused-rows', 'row'].map((name) => `import-file/${name}`),
  'key-variable',
  'printable',
  'streams',
].map((name) => `src/core/${name}.ts`)

export function leavesItsPart({ from, to }: { from: string; to: string }): boolean {
  if (sharedCoreFiles.includes(to)) return false
  // A relay may import the client, because it is a client of the service.
  if (from.startsWith('src/relay/') && partOf(to) === 'client') return false
  const [part, other] = [partOf(from), partOf(to)]
  const others: readonly string[] = importable[part]
  return part !== other && !others.includes(other)
}
