import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inherited } from '../support/inherited.ts'

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
 * A copy of the server in which every noun has one more field, added as docs/contributing.md says: the column in
 * schema.prisma with its migration, and one entry in the noun's file.
 */
export function copyWithAddedField(): WithAddedField {
  const folder = mkdtempSync(join(tmpdir(), 'entitlements-added-field-'))
  for (const part of ['src', 'rest', 'worker', 'package.json', 'tsconfig.json']) {
    cpSync(part, join(folder, part), {
      recursive: true,
      filter: (source) => !/src\/(console|database\/generated)|node_modules/.test(source),
    })
  }
  for (const shared of ['node_modules', 'dist']) symlinkSync(join(process.cwd(), shared), join(folder, shared))

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
  const migration = join(folder, 'src/database/migrations/29990101000000_law_field')
  mkdirSync(migration)
  const statements = tables.map(([, table]) => `alter table "${table}" add column "law_field" text collate "C";\n`)
  writeFileSync(join(migration, 'migration.sql'), statements.join(''))
  execFileSync(process.execPath, ['src/tools/generate-client.ts'], { cwd: folder, env: inherited, stdio: 'pipe' })
  return { folder, models }
}

export function removeCopy({ folder }: WithAddedField): void {
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
