import { spawnSync } from 'node:child_process'

/** Whether Prometheus' own tool is installed. If not, tests that need it are skipped, with `promtoolNote` in their titles. */
export const hasPromtool = spawnSync('promtool', ['--version']).status === 0
export const promtoolNote = hasPromtool ? '' : ' (skipped: promtool is not installed)'

/** The output of `promtool`; its exit code says whether it found a fault. */
export function promtool(args: string[], input = ''): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}
