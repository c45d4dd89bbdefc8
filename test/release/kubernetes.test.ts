import { globSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { version } from '../../src/core/version.ts'
import { findUnknownFields, readDeploymentFile, readManifests, renderChart, validate } from './manifests.ts'

const service = readManifests(readDeploymentFile('kubernetes/entitlements-service.yaml'))
const monitor = readManifests(readDeploymentFile('kubernetes/service-monitor.yaml'))
const manifests = [...service, ...monitor]
const named = manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const)

describe('the manifests for Kubernetes', () => {
  it.each(named)('match the schemas of Kubernetes: %s', async (_, manifest) => {
    await validate(manifest)
  })

  it('have only fields that Kubernetes knows', () => {
    expect(findUnknownFields(manifests)).toBe('')
  })

  it('would be refused if a field had a wrong type or a misspelled name', async () => {
    const [deployment] = service
    if (!deployment) throw new Error('there is no manifest')

    await expect(validate({ ...deployment, spec: { ...deployment.spec, replicas: 'two' } })).rejects.toThrow(/replicas/)
    expect(findUnknownFields([{ ...deployment, spec: { ...deployment.spec, replica: 2 } }])).toMatch(
      /'"replica"' does not exist/,
    )
  })

  it('run pods without privileges: not as root, with files that they cannot write, and without a token for the cluster', () => {
    const pods = service.flatMap(({ kind, spec }) => (kind === 'Deployment' ? [Object(spec.template).spec] : []))

    expect(pods).toHaveLength(2)
    for (const pod of pods) {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          {
            image: `entitlements-service:${version}`,
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
          },
        ],
      })
    }
  })
})

describe('the chart for Helm', () => {
  it('with its default values, renders exactly the manifests in the repository', (context) => {
    const rendered = renderChart()
    context.skip(rendered === null, 'helm is not installed here, so the chart was not rendered')

    const byName = (list: typeof manifests) =>
      Object.fromEntries(list.map((each) => [each.kind + each.metadata.name, each]))
    expect(byName(rendered ?? [])).toEqual(byName(service))
    const withMonitor = renderChart('--set', 'metrics.serviceMonitor.enabled=true')
    expect(byName(withMonitor ?? [])).toEqual(byName(manifests))
  })

  it('has a schema that accepts its values, and refuses misspelled names of values', () => {
    const matches = new Ajv().compile(JSON.parse(readDeploymentFile('helm/entitlements-service/values.schema.json')))
    const values = parse(readDeploymentFile('helm/entitlements-service/values.yaml'))

    expect(matches(values), JSON.stringify(matches.errors)).toBe(true)
    expect(matches({ ...values, api: { ...values.api, replica: 3 } })).toBe(false)
  })

  it('has the version of the service, no subcharts and no hooks', () => {
    const chart = parse(readDeploymentFile('helm/entitlements-service/Chart.yaml'))
    const templates = globSync('docs/operations/deploy/helm/*/templates/*')

    expect(chart).toMatchObject({ version, appVersion: version })
    expect(chart.dependencies).toBeUndefined()
    expect(templates.length).toBeGreaterThan(3)
    for (const template of templates) {
      expect(readDeploymentFile(template.replace('docs/operations/deploy/', '')), template).not.toContain(
        'helm.sh/hook',
      )
    }
  })
})
