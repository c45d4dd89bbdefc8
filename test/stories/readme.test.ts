import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { startService } from '../support/service.ts'
import { readTour, runStep, withoutIds } from '../support/tour.ts'

const service = await startService({ EVAL_MONTHLY_ALLOTMENT: '1000000' })

it('prints what the README shows', async () => {
  const caller = await service.organization('admin')
  const steps = readTour(readFileSync('README.md', 'utf8')).filter(({ command }) => !command.startsWith('export '))
  const env = { KEY: caller.key, API: service.url }

  const printed: string[] = []
  for (const { command } of steps) printed.push(withoutIds(await runStep(command, env)))

  expect(steps.length).toBeGreaterThan(10)
  expect(printed).toEqual(steps.map(({ output }) => withoutIds(output)))
})
