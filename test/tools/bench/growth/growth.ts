import { startHalf } from '../processes.ts'
import { compareBackground } from './background.ts'
import { type GrowthDatabases, openDatabases, type Scale, type Sizes } from './database.ts'
import { compareByCatalog, compareByOverrides, compareBySubscribers } from './evals.ts'
import { type Line, toLineTable } from './line.ts'
import { compareAuditLog, compareReads, findSampleIds } from './reads.ts'
import { compareDelete, comparePlanChange } from './writes.ts'

type GrowthOptions = {
  subscribers: number
  entries: number
  connections: number
  durationMs: number
  /** A folder to keep the databases in. */
  dataDir: string | undefined
  /** Only these parts: evals, catalog, overrides, reads, audit, writes, background. */
  only: readonly string[]
}

const small: Sizes = { subscribers: 1000, entries: 50_000 }

/**
 * Measures which costs grow with the data, as ratios within one run: the same organization in a small and a large database of
 * one PostgreSQL, each with its own API process, measured alternately. Yields tables to print; calls `isNotFlat` for each line
 * that exceeds its limit.
 */
export async function* measureGrowth(options: GrowthOptions, isNotFlat: () => void): AsyncGenerator<string> {
  const sizes = { small, large: { subscribers: options.subscribers, entries: options.entries } }
  const databases = await openDatabases(sizes, options.dataDir, console.error)
  const dataDir = databases.folder
  try {
    const services = {
      small: await startHalf('api', { databaseUrl: databases.urls.small, dataDir }),
      large: await startHalf('api', { databaseUrl: databases.urls.large, dataDir }),
    }
    try {
      const ports = { small: services.small.port, large: services.large.port }
      for await (const table of tables({ options, sizes, databases, dataDir, ports }, isNotFlat)) yield table
    } finally {
      await Promise.all(Object.values(services).map((service) => service.stop()))
    }
  } finally {
    await databases.stop()
  }
}

type Setting = {
  options: GrowthOptions
  sizes: Record<Scale, Sizes>
  databases: GrowthDatabases
  dataDir: string
  ports: Record<Scale, number>
}

async function* tables(setting: Setting, isNotFlat: () => void): AsyncGenerator<string> {
  for (const { part, title, sides, lines } of await partsOf(setting)) {
    if (setting.options.only.length > 0 && !setting.options.only.includes(part)) continue
    const compared: Line[] = []
    const sentences: string[] = []
    for await (const line of lines()) {
      if (typeof line === 'string') sentences.push(line)
      else compared.push(line)
      console.error(
        typeof line === 'string' ? line : `${line.what}: ${line.small}, ${line.large}, ${line.ratio.toFixed(2)}`,
      )
      if (typeof line !== 'string' && line.isFlat === false) isNotFlat()
    }
    yield [toLineTable(title, sides, compared), ...sentences].join('\n')
  }
}

type Part = {
  part: string
  title: string
  sides: [string, string]
  lines: () => AsyncGenerator<Line | string>
}

async function partsOf({ options, sizes, databases, dataDir, ports }: Setting): Promise<Part[]> {
  const { connections, durationMs, subscribers, entries } = options
  const { key, urls } = databases
  const rate = { connections, durationMs: durationMs / 10 }
  const inLarge = { url: urls.large, port: ports.large }
  const background = { ...inLarge, databaseUrl: urls.large, dataDir, key, subscribers, durationMs }
  const reads = { ports, key, landmarks: await findSampleIds(databases, sizes) }
  const bySubscribers: [string, string] = [`${small.subscribers} subscribers`, `${subscribers} subscribers`]
  return [
    {
      part: 'evals',
      title: 'evals',
      sides: bySubscribers,
      lines: () => compareBySubscribers({ ports, sizes, key, ...rate }),
    },
    {
      part: 'catalog',
      title: 'evals',
      sides: ['10 features', '2,000 features'],
      lines: () => compareByCatalog({ ...inLarge, ...rate }),
    },
    {
      part: 'overrides',
      title: 'evals',
      sides: ['1 override', '500 overrides'],
      lines: () => compareByOverrides({ ...inLarge, ...rate }),
    },
    { part: 'reads', title: 'reads of people', sides: bySubscribers, lines: () => compareReads(reads) },
    {
      part: 'audit',
      title: 'audit log',
      sides: [`${small.entries} entries`, `${entries} entries`],
      lines: () => compareAuditLog(reads),
    },
    { part: 'writes', title: 'writes', sides: bySubscribers, lines: () => comparePlanChange({ ports, urls, key }) },
    { part: 'writes', title: 'writes', sides: ['1 override', '500 overrides'], lines: () => compareDelete(inLarge) },
    {
      part: 'background',
      title: 'beside the worker',
      sides: ['alone', 'beside'],
      lines: () => compareBackground(background),
    },
  ]
}
