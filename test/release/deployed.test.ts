import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { relayVariables } from '../../src/config-relay-variables.ts'
import { variables } from '../../src/config-variables.ts'
import { alerts, dashboardQueries } from '../metrics/queries.ts'
import { temporaryFolder } from '../start/server-process.ts'
import { hasPromtool, promtool, promtoolNote } from '../support/promtool.ts'
import { readDockerfile, wordsOf } from './image/dockerfile.ts'
import { readDeploymentFile, readManifests } from './manifests.ts'

const { scripts, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const known = Object.keys({ ...variables, ...relayVariables })

type Service = { command?: string[]; environment?: Record<string, string>; read_only?: boolean; volumes?: string[] }
const { services }: { services: Record<string, Service> } = parse(readFileSync('compose.yaml', 'utf8'), { merge: true })
const halves = ['api', 'worker']
const ourServices = [...halves, 'relay'].map((half) => services[half] as Service)
const containers = readManifests(readDeploymentFile('kubernetes/entitlements-service.yaml')).flatMap(
  ({ kind, spec }) => (kind === 'Deployment' ? Object(spec.template).spec.containers : []),
)
const stages = readDockerfile(readFileSync('Dockerfile', 'utf8'))
const image = stages.at(-1)
const instruction = (name: string) => {
  const found = image?.instructions.find((each) => each.name === name)
  if (!found) throw new Error(`The Dockerfile's last stage has no ${name}.`)
  return found
}

describe('the files for deployments', () => {
  it('run only commands that package.json has', () => {
    const commands = [
      ...wordsOf(instruction('CMD')),
      ...ourServices.flatMap(({ command }) => command ?? []),
      ...containers.flatMap(({ args }) => args),
    ]

    expect(commands).toEqual(['start', 'start:api', 'start:worker', 'start:relay', 'start:api', 'start:worker'])
    for (const command of commands) expect(scripts).toHaveProperty([command])
  })

  it('set only variables that the service knows', () => {
    const set = [
      ...wordsOf(instruction('ENV')).map((each) => each.replace(/=.*/, '')),
      ...ourServices.flatMap(({ environment }) => Object.keys(environment ?? {})),
      ...containers.flatMap(({ env }) => env.map(({ name }: { name: string }) => name)),
    ]

    expect(set.length).toBeGreaterThan(10)
    expect(set.filter((name) => !known.includes(name))).toEqual([])
  })
})

it('the files for deployments name the metrics job as the alerts and the dashboard expect', () => {
  const queries = [...alerts, ...dashboardQueries].flatMap(({ expr }) =>
    Array.from(expr.matchAll(/job="(.*?)"/g), ([, job]) => job),
  )
  const [job] = queries
  const ofCompose = parse(readDeploymentFile('compose/prometheus.yaml')).scrape_configs[0]
  const [ofPage] = parse(
    /```yaml\n(.*?)```/s.exec(readFileSync('docs/operations/alerts.md', 'utf8'))?.[1] ?? '',
  ).scrape_configs
  const monitor = readManifests(readDeploymentFile('kubernetes/service-monitor.yaml')).find(
    ({ kind }) => kind === 'ServiceMonitor',
  )
  const [endpoint] = Object(monitor?.spec).endpoints

  expect(new Set(queries)).toEqual(new Set([job]))
  expect([ofCompose.job_name, ofPage.job_name]).toEqual([job, job])
  expect(endpoint.relabelings).toEqual([{ targetLabel: 'job', replacement: job }])
})

it.skipIf(!hasPromtool)(`Prometheus accepts its configuration for compose.yaml${promtoolNote}`, () => {
  const checked = promtool(['check', 'config', '--syntax-only', 'docs/operations/deploy/compose/prometheus.yaml'])

  expect(checked).toMatchObject({ status: 0 })
})

describe('the image', () => {
  it('has the Node version of package.json in every stage', () => {
    const [, version] = /^ARG NODE=([\d.]+)-/m.exec(readFileSync('Dockerfile', 'utf8')) ?? []

    expect(version).toBe(optionalDependencies.node)
    expect(stages.map(({ from }) => from)).toEqual(Array(3).fill(`node:\${NODE}`))
  })

  it('runs as a user without a name or files, and says how to check its health', () => {
    expect(instruction('USER').text).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/)
    expect(instruction('HEALTHCHECK').text).toContain('/healthz')
    // Its files belong to root.
    expect(instruction('COPY').flags).toEqual({ from: 'packages' })
  })
})

it('compose.yaml runs the image without privileges, and with files that it cannot write', () => {
  for (const service of ourServices) {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    expect(service.volumes).toBeUndefined()
  }
})

it('the files for deployments include a unit that systemd accepts, and whose exposure it rates as low', (context) => {
  context.skip(spawnSync('systemd-analyze', ['--version']).status !== 0, 'systemd is not installed here')
  const unit = join(temporaryFolder(), 'entitlements-service@api.service')
  cpSync('docs/operations/deploy/systemd/entitlements-service@.service', unit)

  const verified = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
  expect(verified.stderr).not.toContain('entitlements-service@api.service:')
  expect(verified.status).toBe(0)
  const exposure = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit])
  expect(exposure.status).toBe(0)
})
