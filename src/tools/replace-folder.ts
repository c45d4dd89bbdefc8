import { rename, rm } from 'node:fs/promises'

/** Puts a new build in the place of the old one, so that a server always serves a whole build. */
export async function replaceFolder(folder: string, replacement: string): Promise<void> {
  const old = `${replacement}-old`
  await rename(folder, old).catch(ignore('ENOENT'))
  // Another process may have just put its own build of the same sources there.
  await rename(replacement, folder).catch(ignore('ENOTEMPTY', 'EEXIST'))
  await rm(old, { recursive: true, force: true })
}

function ignore(...codes: string[]): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (!codes.includes(error.code ?? '')) throw error
  }
}
