import { rename, rm } from 'node:fs/promises'

/** Replaces the old build with the new one, so that a server always serves a complete build. */
export async function replaceFolder(folder: string, replacement: string): Promise<void> {
  const old = `${replacement}-old`
  await rename(folder, old).catch(ignore('ENOENT'))
  // Another process may have just stored its own build of the same sources there.
  await rename(replacement, folder).catch(ignore('ENOTEMPTY', 'EEXIST'))
  await rm(old, { recursive: true, force: true })
}

function ignore(...codes: string[]): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (!codes.includes(error.code ?? '')) throw error
  }
}
