import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { builtFolder } from './built-service.ts'
import { inheritedEnv } from './inherited-env.ts'

/** The migration that adds the field. */
export const migrationOfField = '29990101000000_law_field'

/** The models to which a field was added. */
export type WithAddedField = { folder: string; models: string[] }

const entry = `
  law_field: {
    input: lawText(1, 20).nullable().optional(),
    answer: lawTextField(1, 20).nullable().describe('Added by a test.'),
  },`
const importsOfEntry = `import { text as lawText } from '../../core/fields.ts'
import { textField as lawTextField } from '../../core/answer-fields.ts'
`

/**
 * A copy of the server in which every resource has one more field, added as docs/contributing.md says: the column in
 * schema.prisma with its migration, and one entry in the resource's file.
 */
export function copyWithAddedField(): WithAddedField {
  const folder = copyServer(/src\/(console|database\/generated)|node_modules/)
  const models = globSync(join(folder, 'src/modules/*/*.ts')).flatMap(addEntry)
  const schema = readFileSync('schema.prisma', 'utf8')
  const tables = models.map((model) => [model, tableOf(schema, model)] as const)
  writeFileSync(
    join(folder, 'schema.prisma'),
    models.reduce(
      (text, model) => text.replace(`model ${model} {\n`, `model ${model} {\n  lawField String? @map("law_field")\n`),
      schema,
    ),
  )
  const statements = tables.map(([, table]) => `alter table "${table}" add column "law_field" text collate "C";\n`)
  addMigration(folder, migrationOfField, statements.join(''))
  execFileSync(process.execPath, ['node_modules/prisma/build/index.js', 'generate'], {
    cwd: folder,
    env: inheritedEnv,
    stdio: 'pipe',
  })
  return { folder, models }
}

/** A copy of the built server with more migrations. */
export function copyWithMigrations(migrations: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'entitlements-copy-'))
  cpSync(builtFolder, folder, { recursive: true })
  cpSync('package.json', join(folder, 'package.json'))
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
  cpSync('src/database/migrations', join(folder, 'src/database/migrations'), { recursive: true })
  for (const [name, sql] of Object.entries(migrations)) addMigration(folder, name, sql)
  const [original, copied] = [process.cwd(), folder].map(
    (root) => `${pathToFileURL(root)}/src/database/migration-files.ts`,
  )
  for (const chunk of globSync(join(folder, 'chunks/*.js'))) {
    const code = readFileSync(chunk, 'utf8')
    if (code.includes(original as string)) writeFileSync(chunk, code.replaceAll(original as string, copied as string))
  }
  return folder
}

/** Copies the server, without the files whose path matches. */
function copyServer(without: RegExp): string {
  const folder = mkdtempSync(join(tmpdir(), 'entitlements-copy-'))
  for (const part of ['src', 'rest', 'worker', 'package.json', 'tsconfig.json', 'prisma.config.ts']) {
    cpSync(part, join(folder, part), { recursive: true, filter: (source) => !without.test(source) })
  }
  for (const shared of ['node_modules', 'dist']) symlinkSync(join(process.cwd(), shared), join(folder, shared))
  return folder
}

function addMigration(folder: string, name: string, sql: string): void {
  const migration = join(folder, 'src/database/migrations', name)
  mkdirSync(migration)
  writeFileSync(join(migration, 'migration.sql'), sql)
}

export function migrationOf(folder: string, name: string): string {
  return readFileSync(join(folder, 'src/database/migrations', name, 'migration.sql'), 'utf8')
}

export function removeCopy({ folder }: Pick<WithAddedField, 'folder'>): void {
  rmSync(folder, { recursive: true })
}

/** The models whose fields the file defines. */
function addEntry(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const definition = /defineFields\('(\w+)', \{/
  const [found, model] = definition.exec(text) ?? []
  if (found === undefined || model === undefined) return []
  writeFileSync(file, importsOfEntry + text.replace(found, `${found}${entry}`))
  return [model]
}

function tableOf(schema: string, model: string): string {
  const [, body = ''] = new RegExp(`^model ${model} \\{(.*?)^\\}`, 'ms').exec(schema) ?? []
  return /@@map\("(\w+)"\)/.exec(body)?.[1] ?? ''
}
