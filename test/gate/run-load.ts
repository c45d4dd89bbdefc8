import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { LoadOrder, LoadReport } from './load-process.ts'

/** Evaluates in its own process. */
export async function runLoad(order: LoadOrder): Promise<LoadReport> {
  const script = fileURLToPath(new URL('load-process.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(order)])
  return JSON.parse(stdout)
}
