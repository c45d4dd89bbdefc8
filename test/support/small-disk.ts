import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A separate disk of this size. */
export type SmallDisk = {
  folder: string
  /** Takes all remaining space. */
  fill(): void
  /** Frees the space. */
  clear(): void
  unmount(): void
}

/** Null if this user may not mount one. */
export function mountDisk(megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'entitlements-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmSync(folder, { recursive: true })
    return null
  }
  const filler = join(folder, 'filler')
  return {
    folder,
    fill() {
      try {
        writeFileSync(filler, Buffer.alloc(megabytes * 1024 * 1024))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return
        throw error
      }
      throw new Error(`a disk of ${megabytes} MB holds a file of this size`)
    },
    clear: () => rmSync(filler, { force: true }),
    unmount() {
      execFileSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true })
    },
  }
}

export function mayMountDisks(): boolean {
  const disk = mountDisk(1)
  disk?.unmount()
  return disk !== null
}
