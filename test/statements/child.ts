import { appendFileSync } from 'node:fs'
import { followStatements, statementsFileVariable } from './sent.ts'

// Loaded first into each process of the service that a test starts. Writes each statement at once, because the process may
// be killed; and on a new line, because a killed process may have left its last line unfinished.
const file = process.env[statementsFileVariable] as string
const known = new Set<string>()

followStatements((text) => {
  if (known.has(text)) return
  known.add(text)
  appendFileSync(file, `\n${JSON.stringify(text)}\n`)
})
