import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { atEnd } from '../support/at-end.ts'
import { startService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { commandLineFor } from './command-line.ts'

const service = await startService()

const file = `version: 1
features:
  export: { name: Export to CSV, description: "Ends */ with a line\\nbreak", kind: flag }
  seats: { name: Seats, kind: limit }
  region: { name: Region, kind: config, value_type: enum, options: [eu-west, "it's \\"new\\""] }
  max-rate: { name: Rate, kind: config, value_type: number }
  color: { name: Color, kind: config, value_type: string }
  beta: { name: Beta, kind: config, value_type: boolean }
  rules: { name: Rules, kind: config, value_type: json }
`

const declarations = `// Written by "entitlements types". Do not edit it: change the catalog, and run the command again.
import '@entitlements-service/client'

declare module '@entitlements-service/client' {
  interface Features {
    /** Export to CSV: Ends * / with a line break */
    export: { kind: 'flag' }
    /** Seats */
    seats: { kind: 'limit' }
    /** Region */
    region: { kind: 'config'; value: 'eu-west' | 'it\\'s "new"' }
    /** Rate */
    'max-rate': { kind: 'config'; value: number }
    /** Color */
    color: { kind: 'config'; value: string }
    /** Beta */
    beta: { kind: 'config'; value: boolean }
    /** Rules */
    rules: { kind: 'config'; value: unknown }
  }
}
`

function setUp() {
  const cli = commandLineFor({ url: 'http://127.0.0.1:1', key: 'ent_none' })
  cli.write('entitlements.yaml', file)
  return cli
}

describe('types', () => {
  it("writes the declarations for the client's types, from the file and without the service", async () => {
    const cli = setUp()

    const { code, stdout } = await cli.run(['types'])

    expect(stdout).toBe('Wrote entitlements.d.ts: 7 features of entitlements.yaml.\n')
    expect(code).toBe(0)
    expect(cli.read('entitlements.d.ts')).toBe(declarations)
  })

  it('writes a flag manifest for OpenFeature', async () => {
    const cli = setUp()

    await cli.run(['types', '--out', 'keys.d.ts', '--manifest', 'flags.json'])

    expect(cli.read('keys.d.ts')).toBe(declarations)
    const { $schema, flags } = JSON.parse(cli.read('flags.json'))
    expect($schema).toMatch(/open-feature\/cli.*flag-manifest\.json$/)
    expect(flags).toEqual({
      export: { flagType: 'boolean', defaultValue: false, description: 'Export to CSV: Ends */ with a line\nbreak' },
      seats: { flagType: 'integer', defaultValue: 0, description: 'Seats' },
      region: { flagType: 'string', defaultValue: 'eu-west', description: 'Region' },
      'max-rate': { flagType: 'float', defaultValue: 0, description: 'Rate' },
      color: { flagType: 'string', defaultValue: '', description: 'Color' },
      beta: { flagType: 'boolean', defaultValue: false, description: 'Beta' },
      rules: { flagType: 'object', defaultValue: {}, description: 'Rules' },
    })
  })

  it('reads the catalog from the service if there is no file', async () => {
    const caller = await service.organization()
    await vendor(caller).features()
    const cli = commandLineFor({ url: service.url, key: caller.key })

    expect((await cli.run(['types'])).stdout).toBe(`Wrote entitlements.d.ts: 3 features of Acme at ${service.url}.\n`)
    expect(cli.read('entitlements.d.ts')).toMatch("color: { kind: 'config'; value: 'red' | 'green' | 'blue' }")
  })

  it('reports with --check whether the files are up to date', async () => {
    const cli = setUp()
    const check = () => cli.json(['types', '--manifest', 'flags.json', '--check'])

    expect(await check()).toEqual({
      code: 2,
      body: {
        files: [
          { file: 'entitlements.d.ts', is_changed: true },
          { file: 'flags.json', is_changed: true },
        ],
      },
    })
    await cli.run(['types', '--manifest', 'flags.json'])
    expect((await check()).code).toBe(0)
    cli.write('entitlements.yaml', file.replace('seats', 'places'))
    expect((await check()).code).toBe(2)
  })

  it('takes files for up to date with --check if Git has changed their line ends for Windows', async () => {
    const cli = setUp()
    await cli.run(['types', '--manifest', 'flags.json'])
    for (const name of ['entitlements.d.ts', 'flags.json']) cli.write(name, cli.read(name).replaceAll('\n', '\r\n'))

    expect((await cli.run(['types', '--manifest', 'flags.json', '--check'])).code).toBe(0)
  })

  it('writes declarations that TypeScript compiles', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'entitlements-types-'))
    atEnd(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(`${folder}/package.json`, '{"type":"module"}')
    writeFileSync(`${folder}/entitlements.d.ts`, declarations)
    writeFileSync(
      `${folder}/use.ts`,
      `import type { Features } from '@entitlements-service/client'
export const region: Features['region']['value'] = 'it\\'s "new"'
export const rate: Features['max-rate']['value'] = 5
// @ts-expect-error: there is no such option.
export const wrong: Features['region']['value'] = 'us-east'
// @ts-expect-error: there is no such feature.
export type Misspelled = Features['exprot']
`,
    )
    const options = {
      module: 'nodenext',
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      types: [],
      paths: { '@entitlements-service/client': [new URL('../../src/client/index.ts', import.meta.url).pathname] },
    }
    writeFileSync(
      `${folder}/tsconfig.json`,
      JSON.stringify({ compilerOptions: options, files: ['entitlements.d.ts', 'use.ts'] }),
    )

    const tsc = new URL('../../node_modules/typescript/bin/tsc', import.meta.url).pathname
    const compiled = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch((error) => error)

    expect(compiled.stdout).toBe('')
  })
})
