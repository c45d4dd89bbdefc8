import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { startService } from '../support/service.ts'
import { readTour, runExport, runStep, withoutIds } from '../support/tour.ts'

const service = await startService()

it("the README's tour prints the output that it shows", async () => {
  const caller = await service.organization('admin')
  const steps = readTour(readFileSync('README.md', 'utf8'))
  const env: Record<string, string> = { KEY: caller.key, API: service.url }

  const printed: string[] = []
  for (const { command } of steps) {
    const exported = await runExport(command, env)
    if (exported) env[exported.name] = exported.value
    printed.push(command.startsWith('export ') ? '' : withoutIds(await runStep(command, env)))
  }

  expect(steps.length).toBeGreaterThan(10)
  expect(printed).toEqual(steps.map(({ output }) => withoutIds(output)))
})
