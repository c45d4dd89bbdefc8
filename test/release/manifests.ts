import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'

/** A Kubernetes object. */
export type Manifest = {
  apiVersion: string
  kind: string
  metadata: { name: string; labels: Record<string, string> }
} & {
  spec: Record<string, unknown>
}

/** Reads the objects from a text with several YAML documents. */
export function readManifests(text: string): Manifest[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS({ maxAliasCount: 0 }) as Manifest | null)
    .filter((manifest) => manifest !== null)
}

/** The package that has Kubernetes' schemas, or the Prometheus operator's, for this version of an API. */
function packageOf({ apiVersion }: Manifest): string {
  const isOperators = apiVersion.startsWith('monitoring.coreos.com/')
  return `${isOperators ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models'}/${apiVersion}`
}

/** Throws if the object does not match its schema. The schemas allow unknown fields: see `findUnknownFields`. */
export async function validate(manifest: Manifest): Promise<void> {
  const models = await import(packageOf(manifest))
  new models[manifest.kind](manifest).validate()
}

/** The compiler's errors for the objects as literals of Kubernetes' types: it refuses fields that these types do not have. */
export function findUnknownFields(manifests: readonly Manifest[]): string {
  const folder = 'node_modules/.cache/manifests'
  const file = join(folder, 'manifests.ts')
  mkdirSync(folder, { recursive: true })
  const lines = manifests.map((manifest, index) => {
    const { apiVersion: _, kind, ...fields } = manifest
    const name = `Model${index}`
    return `import { ${kind} as ${name} } from '${packageOf(manifest)}'\nnew ${name}(${JSON.stringify(fields)})\n`
  })
  writeFileSync(file, lines.join(''))
  try {
    const settings = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--types', '']
    const module = ['--module', 'esnext', '--moduleResolution', 'bundler']
    const { stdout } = spawnSync('node_modules/.bin/tsc', [...settings, ...module, file], { encoding: 'utf8' })
    return stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Helm's output for the chart; null where Helm is not installed. */
export function renderChart(...settings: string[]): Manifest[] | null {
  if (spawnSync('helm', ['version']).error) return null
  const parameters = ['template', 'entitlements-service', 'docs/operations/deploy/helm/entitlements-service']
  return readManifests(execFileSync('helm', [...parameters, ...settings], { encoding: 'utf8' }))
}

export function readDeploymentFile(file: string): string {
  return readFileSync(join('docs/operations/deploy', file), 'utf8')
}
