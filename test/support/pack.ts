import { execFile } from 'node:child_process'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { type packageFolders, packagesFolder } from '../../src/web/package-sources.ts'

/** Runs a program in the folder; an error contains its output. */
export function run(cwd: string, file: string, ...parameters: string[]): Promise<string> {
  return runWithVariables({}, cwd, file, ...parameters)
}

/** Like `run`, with these variables as well. */
export async function runWithVariables(
  variables: Record<string, string>,
  cwd: string,
  file: string,
  ...parameters: string[]
): Promise<string> {
  const settings = { cwd, env: { ...process.env, ...variables }, maxBuffer: 16 * 1024 * 1024 }
  const running = promisify(execFile)(file, parameters, settings)
  const { stdout } = await running.catch(({ stdout, stderr }) => {
    throw new Error(`${basename(file)} ${parameters.join(' ')} failed:\n${stdout}${stderr}`)
  })
  return stdout
}

/** The tarball that servers serve: `client` or `cli`. Built before the tests begin. */
export function builtPackage(name: keyof typeof packageFolders): string {
  return join(packagesFolder, `${name}.tgz`)
}
