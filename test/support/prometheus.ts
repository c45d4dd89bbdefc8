import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './at-end.ts'
import { findFreePort } from './free-port.ts'
import { until } from './until.ts'

/** Whether Prometheus is installed. If it is not, tests that need it are skipped, with `prometheusNote` in their titles. */
export const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0
export const prometheusNote = hasPrometheus ? '' : ' (skipped: Prometheus is not installed)'

/** A Prometheus that scrapes this address each second; resolves once it has done so a few times. */
export async function startPrometheus(target: string) {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'))
  const job = `{ job_name: entitlements, static_configs: [{ targets: ["${new URL(target).host}"] }] }`
  writeFileSync(join(folder, 'prometheus.yml'), `global: { scrape_interval: 1s }\nscrape_configs: [${job}]\n`)
  const port = await findFreePort()
  const options = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`]
  const child = spawn('prometheus', [...options, `--web.listen-address=127.0.0.1:${port}`], { stdio: 'ignore' })
  atEnd(async () => {
    const ended = once(child, 'exit')
    if (child.kill()) await ended
    await rm(folder, { recursive: true, force: true })
  })

  /** Runs a query; returns its series, and throws if the query is refused. */
  async function query(expr: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]> {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/query?${new URLSearchParams({ query: expr })}`)
    const { status, data, error } = (await answer.json()) as { status: string; data: { result: [] }; error?: string }
    if (status !== 'success') throw new Error(`${expr}: ${error}`)
    return data.result
  }
  await until(async () => {
    const [counted] = await query('count_over_time(up{job="entitlements"}[5m])').catch(() => [])
    return Number(counted?.value[1]) > 2
  })
  return { query }
}
