import { existsSync } from 'node:fs'
import type { Catalog } from '../../core/catalog/catalog.ts'
import type { Environment } from '../command.ts'
import { type Connection, connect, defaultPrefix } from '../connection.ts'
import { isMissingFile, Problem } from '../problem.ts'
import { type CatalogFile, readCatalogFile } from './file.ts'
import { readService, type Stamps } from './read-service.ts'

export const defaultCatalogFile = 'entitlements.yaml'

/** How `--from` and `--to` name a catalog: a file, or `env:STAGING` for the service of STAGING_URL and STAGING_API_KEY. */
const environmentSide = /^env:(.*)$/

type FileSide = { type: 'file'; path: string; name: string }
export type ServiceSide = { type: 'service'; connection: Connection; name: string }
export type Side = FileSide | ServiceSide

type Settings = { env: Environment; url?: string | undefined }

/** `--url` replaces the address of `env:ENTITLEMENTS`, which is the default. */
export function parseSide(text: string, { env, url }: Settings): Side {
  const prefix = environmentSide.exec(text)?.[1]
  if (prefix === undefined) return { type: 'file', path: text, name: text }
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(prefix)) {
    throw new Problem(`"${text}" must be env: and a prefix. env:STAGING stands for STAGING_URL and STAGING_API_KEY.`)
  }
  const connection = connect(env, prefix === defaultPrefix ? url : undefined, prefix)
  return { type: 'service', connection, name: connection.url }
}

/** Throws a Problem if `--url` would be ignored: the user may believe that it names the target. */
export function assertUrlIsFor(sides: readonly string[], url: string | undefined): void {
  if (url === undefined || sides.includes(`env:${defaultPrefix}`)) return
  throw new Problem(
    `--url is the address of env:${defaultPrefix}, which is not used here. Leave it out, or name env:${defaultPrefix}.`,
    {
      code: 'USAGE',
    },
  )
}

export type LoadedSide =
  | { type: 'file'; name: string; catalog: Catalog; file: CatalogFile }
  | {
      type: 'service'
      name: string
      catalog: Catalog
      stamps: Stamps
      connection: Connection
      organization: Organization
    }

export type LoadedService = Extract<LoadedSide, { type: 'service' }>

type Organization = { organization_id: string; name: string }

/** `connection` is a connection to the service of the other side, which knows the fields that a file may have. */
export async function loadSide(side: Side, connection: Connection | null): Promise<LoadedSide> {
  return side.type === 'file' ? loadFileSide(side, connection) : loadServiceSide(side)
}

async function loadFileSide({ path, name }: FileSide, connection: Connection | null): Promise<LoadedSide> {
  try {
    const file = await readCatalogFile(path, connection)
    return { type: 'file', name, catalog: file.catalog, file }
  } catch (error) {
    if (!isMissingFile(error)) throw error
    throw new Problem(
      `There is no file ${path}. "entitlements pull --file ${path}" writes it, with the catalog of your service.`,
      {
        code: 'NO_FILE',
      },
    )
  }
}

export async function loadServiceSide({ connection }: Pick<ServiceSide, 'connection'>): Promise<LoadedService> {
  const [{ catalog, stamps }, organization] = await Promise.all([
    readService(connection),
    connection.ask((api) => api.getOrganization()),
  ])
  return {
    type: 'service',
    name: `${organization.name} at ${connection.url}`,
    catalog,
    stamps,
    connection,
    organization,
  }
}

/** The default file if it exists, and otherwise the service. For commands that only read the catalog. */
export function defaultSide(): string {
  return existsSync(defaultCatalogFile) ? defaultCatalogFile : `env:${defaultPrefix}`
}
