import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { limitOf } from './limit-of.ts'

type TourStep = { command: string; output: string }

/** The commands of the README's tour, each with its expected output. */
export function readTour(readme: string): TourStep[] {
  return readSteps(readme.split('<!-- tour -->')[1]?.split('<!-- /tour -->')[0] ?? '')
}

/** The commands in all `console` blocks of a text. */
export function readSteps(text: string): TourStep[] {
  const steps: TourStep[] = []
  for (const [, block = ''] of text.matchAll(/```console\n([\s\S]*?)```/g)) {
    for (const line of block.trimEnd().split('\n')) {
      if (line.startsWith('$ ')) steps.push({ command: line.slice(2), output: '' })
      else (steps.at(-1) as TourStep).output += `${line}\n`
    }
  }
  return steps
}

/** Runs a command of the tour in a shell, as a reader would. */
export async function runStep(command: string, env: Record<string, string>): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-c', command], {
    env: { ...process.env, ...env },
    timeout: limitOf(180_000),
  })
  return stdout === '' || stdout.endsWith('\n') ? stdout : `${stdout}\n`
}

/**
 * `export NAME=$(…)`: the command's output, for later commands. Null for other commands, and for values that the reader must
 * fill in.
 */
export async function runExport(
  command: string,
  env: Record<string, string>,
): Promise<{ name: string; value: string } | null> {
  const [, name, inner] = /^export (\w+)=\$\((.*)\)$/.exec(command) ?? []
  if (name === undefined || inner === undefined) return null
  return { name, value: (await runStep(inner, env)).trimEnd() }
}

/** Replaces ids, times and secrets, which differ between runs. */
export function withoutIds(text: string): string {
  return text
    .replaceAll(/\b(ent|inv|ses)_[0-9A-Za-z]{8,}/g, '$1_‹secret›')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '‹address›')
    .replaceAll(/(?<![0-9A-Z])[0-7][0-9A-HJKMNP-TV-Z]{25}(?![0-9A-Z])/g, '‹id›')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '‹time›')
}
