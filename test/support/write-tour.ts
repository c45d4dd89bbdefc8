import { readFileSync, writeFileSync } from 'node:fs'
import { readTour, runExport, runStep } from './tour.ts'

/*
 * Puts the output of each command of the tour into the README:
 * KEY=… API=http://127.0.0.1:4000 node test/support/write-tour.ts, with a server on an empty organization.
 */
let readme = readFileSync('README.md', 'utf8')
const env: Record<string, string> = { KEY: process.env.KEY ?? '', API: process.env.API ?? 'http://127.0.0.1:4000' }
for (const { command, output } of readTour(readme)) {
  const exported = await runExport(command, env)
  if (exported) env[exported.name] = exported.value
  if (command.startsWith('export ')) continue
  const printed = await runStep(command, env)
  readme = readme.replace(`$ ${command}\n${output}`, () => `$ ${command}\n${printed}`)
}
writeFileSync('README.md', readme)
