import { globSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { codegen } from '@graphql-codegen/core'
import * as operations from '@graphql-codegen/typescript-operations'
import { type ASTNode, buildSchema, type DocumentNode, Kind, parse, print, visit } from 'graphql'
import { sourceFolder } from '../web/console-sources.ts'

/*
 * `npm run console:types`: writes a file of types for each .graphql file of the console, with its documents as text, so that
 * the browser needs neither the schema nor a parser.
 */

const schemaFile = fileURLToPath(new URL('../graphql/schema.graphql', import.meta.url))

/** The TypeScript types of scalars, as JSON contains them. */
const scalars = { ID: 'string', DateTime: 'string', SafeInt: 'number', JSON: 'unknown' }

/** Returns the texts of the generated files, by path. */
export async function printConsoleTypes(): Promise<Map<string, string>> {
  const schemaText = await readFile(schemaFile, 'utf8')
  const schema = { schema: parse(schemaText), schemaAst: buildSchema(schemaText) }
  const printed = new Map<string, string>()
  for (const file of globSync('**/*.graphql', { cwd: sourceFolder }).sort()) {
    const document = parse(await readFile(join(sourceFolder, file), 'utf8'))
    const target = join(sourceFolder, 'generated', `${basename(file, '.graphql')}.ts`)
    if (printed.has(target)) throw new Error(`Two .graphql files of the console are named ${basename(file)}.`)
    const types = await codegen({
      ...schema,
      filename: target,
      documents: [{ location: file, document }],
      plugins: [{ operations: {} }],
      pluginMap: { operations },
      config: { scalars, skipTypename: true, disableDescriptions: true },
    })
    printed.set(target, [header(file), types, ...printDocuments(document)].join('\n'))
  }
  return printed
}

function header(file: string): string {
  return `// Made from ${file} by npm run console:types.\nimport { TypedDocument } from '../api/typed-document.ts'\n`
}

/** Prints every operation with its fragments, which must be in the same file. */
function printDocuments({ definitions }: DocumentNode): string[] {
  const fragments = new Map(
    definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [])),
  )
  return definitions.flatMap((each) => {
    if (each.kind !== Kind.OPERATION_DEFINITION) return []
    const name = each.name?.value ?? ''
    const type = `${name}${each.operation === 'query' ? 'Query' : 'Mutation'}`
    const text = [each, ...findFragments(each, fragments)].map(print).join('\n')
    return `export const ${name}Document = new TypedDocument<${type}, ${type}Variables>('${name}', \`${text}\`)\n`
  })
}

function findFragments(node: ASTNode, fragments: ReadonlyMap<string, ASTNode>): Set<ASTNode> {
  const found = new Set<ASTNode>()
  visit(node, {
    FragmentSpread({ name }) {
      const fragment = fragments.get(name.value)
      if (!fragment) throw new Error(`There is no fragment ${name.value} in the file that uses it.`)
      for (const each of [fragment, ...findFragments(fragment, fragments)]) found.add(each)
    },
  })
  return found
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [path, text] of await printConsoleTypes()) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
}
