import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startService } from '../support/service.ts'
import { readSteps, readTour, runExport, runStep, withoutIds } from '../support/tour.ts'

const service = await startService()

const first = 'docs/guides/gate-your-first-feature.md'
const guides = globSync('docs/guides/*.md')
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => readSteps(readFileSync(file, 'utf8')).length > 0)

/** The tour's catalog and its subscriber: the data that the guides begin with. */
const sample = readTour(readFileSync('README.md', 'utf8'))
  .map(({ command }) => command)
  .filter((command) => /\/org\/(features|plans|subscribers|subscribers\/cust_4711\/subscriptions) -H/.test(command))
  .slice(0, 7)

it('the examples begin with the objects of the tour', () => {
  expect(guides).toContain(first)
  expect(guides.length).toBeGreaterThan(8)
  expect(sample).toHaveLength(7)
  expect(sample.at(-1)).toContain('/org/subscribers/cust_4711/subscriptions')
})

it.each(guides)(
  'the commands in %s print the output that it shows; after a change, run this file with `--update`',
  async (guide) => {
    const caller = await service.organization('admin')
    const folder = await mkdtemp(join(tmpdir(), 'guide-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const env: Record<string, string> = { KEY: caller.key, API: service.url }
    const run = (command: string) => runStep(`cd ${folder} && ${command}`, env)
    if (guide !== first) for (const command of sample) await run(command)

    const text = readFileSync(guide, 'utf8')
    let shown = ''
    let end = 0
    for (const { command, output } of readSteps(text)) {
      const exported = await runExport(command, env)
      if (exported) env[exported.name] = exported.value
      const printed = exported ? '' : await run(command)
      const start = text.indexOf(`$ ${command}\n`, end) + command.length + 3
      shown += text.slice(end, start) + (withoutIds(printed) === withoutIds(output) ? output : printed)
      end = start + output.length
    }
    shown += text.slice(end)

    await expect(shown).toMatchFileSnapshot(resolve(guide))
  },
)
