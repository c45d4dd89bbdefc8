import { afterAll } from 'vitest'
import { takeFaults } from './this-process.ts'

// Runs in each test file.
afterAll(() => {
  const faults = takeFaults()
  if (faults.length === 0) return
  const advice =
    'Compare organization_id with one parameter, or add the statement to test/statements/spanning-statements.ts.'
  throw new Error(`The service sent statements that are not of one organization. ${advice}\n\n${faults.join('\n\n')}`)
})
