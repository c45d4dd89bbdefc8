import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/database/embedded.ts'
import { setup as makeOriginal } from '../../support/built-service.ts'
import { copyDataFolder } from '../../support/data-folder.ts'
import { createLongPathFolder } from '../../support/long-path-folder.ts'
import { mountDisk, type SmallDisk } from '../../support/small-disk.ts'

/** Enough connections for the tests and for three or four processes with their pools. */
const settings = { max_connections: '200', fsync: 'off', full_page_writes: 'off' }

type ClusterOptions = {
  /** The size of the cluster's own disk; absent if it has none. */
  diskMegabytes?: number | undefined
  /** Whether to leave out the service's tables. */
  isEmpty?: boolean
}

/** A PostgreSQL with the service's tables, which can be killed and started again with its data, on another port. */
export class Cluster {
  readonly #dataDir: string
  #postgres: EmbeddedPostgres
  /** Null if the cluster has no disk of its own. */
  readonly disk: SmallDisk | null

  private constructor(dataDir: string, postgres: EmbeddedPostgres, disk: SmallDisk | null) {
    this.#dataDir = dataDir
    this.#postgres = postgres
    this.disk = disk
  }

  static async start({ diskMegabytes, isEmpty = false }: ClusterOptions = {}): Promise<Cluster> {
    const disk = diskMegabytes === undefined ? null : mountDisk(diskMegabytes)
    const dataDir = createLongPathFolder('entitlements-faults', disk?.folder)
    if (!isEmpty) {
      await makeOriginal()
      copyDataFolder(dataDir)
    }
    return new Cluster(dataDir, await startEmbeddedPostgres({ dataDir, log: () => {}, settings }), disk)
  }

  get url(): string {
    return this.#postgres.url
  }

  get superuserUrl(): string {
    return this.#postgres.superuserUrl
  }

  /** Ends as if the machine lost power: nothing is flushed. */
  async kill(): Promise<void> {
    const [pid] = readFileSync(join(this.#dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), 'SIGKILL')
    await this.#postgres.ended
    await this.#postgres.stop()
  }

  async stop(): Promise<void> {
    await this.#postgres.stop()
  }

  async startAgain(): Promise<void> {
    this.#postgres = await startEmbeddedPostgres({ dataDir: this.#dataDir, log: () => {}, settings })
  }

  async remove(): Promise<void> {
    await this.#postgres.stop()
    rmSync(this.#dataDir, { recursive: true, force: true })
    this.disk?.unmount()
  }
}
