import { parseArgs } from 'node:util'
import { onMigratedDatabase } from '../cli/on-database.ts'
import { baseUrlOf, loadConfig } from '../config.ts'
import { print, printError, printProgress } from '../core/print.ts'
import { StartupError } from '../core/startup-error.ts'
import { type FilledDemo, fillDemo } from './fill.ts'
import { organizationName } from './people.ts'

const help = `Usage: npm run demo [-- --again] [-- --yes] [-- --subscribers 1000]

Creates the organization "${organizationName}" with three months of history: features, plans, subscribers, overrides,
successful and failed deliveries, and four people in four roles, whose passwords it prints. Uses the database of npm start,
whether that still runs or not.

  --again              create another one, if one exists
  --yes                allow it in production, and on a server that has people already
  --subscribers 1000   number of subscribers, from 10 to 20000`

try {
  const options = readOptions()
  if (options === 'help') print(help)
  else print(await run(options))
  process.exit(0)
} catch (error) {
  printError(error)
  process.exit(1)
}

type Options = { again: boolean; yes: boolean; subscribers: number }

function readOptions(): Options | 'help' {
  try {
    const [flag, value] = [{ type: 'boolean' }, { type: 'string' }] as const
    const options = { again: flag, yes: flag, subscribers: value, help: flag }
    const { again = false, yes = false, subscribers: text = '1000', help } = parseArgs({ options }).values
    if (help) return 'help'
    const subscribers = Number(text)
    if (!Number.isInteger(subscribers) || subscribers < 10 || subscribers > 20_000) {
      throw new Error('--subscribers must be a number from 10 to 20000.')
    }
    return { again, yes, subscribers }
  } catch (error) {
    throw new StartupError(`${(error as Error).message}\n\n${help}`)
  }
}

async function run(options: Options): Promise<string> {
  const config = loadConfig(process.env)
  return onMigratedDatabase(config, async (located) => {
    const startedAt = performance.now()
    const onProgress = createProgress()
    const filled = await fillDemo({ databaseUrl: located.directUrl, config, ...options, onProgress })
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    const isRunning = located.kind === 'running'
    return describe(filled, { seconds, isRunning, baseUrl: baseUrlOf(config) })
  })
}

/** Rewrites one line on a terminal; elsewhere prints one at each tenth. */
function createProgress(): (done: number, total: number) => void {
  let shown = -1
  return (done, total) => {
    const percent = Math.floor((done / total) * 100)
    const step = process.stderr.isTTY ? percent : Math.floor(percent / 10) * 10
    if (step === shown) return
    shown = step
    const line = `${step} % of ${total} steps of three months`
    printProgress(line, { isLast: done === total })
  }
}

type Finish = { seconds: number; isRunning: boolean; baseUrl: string }

function describe(
  { organizationId, webhookSecret, evalKey, accounts }: FilledDemo,
  { seconds, isRunning, baseUrl }: Finish,
): string {
  const people = accounts.map(({ email, password, role }) => `  ${email.padEnd(24)}${password}  ${role}`)
  return `
Created the organization "${organizationName}" (${organizationId}) in ${seconds} seconds.

Look at  ${baseUrl}/o/${organizationId}${isRunning ? '' : '  once `npm start` runs'}
Sign in with one of these (the passwords are shown this once):
${people.join('\n')}

A key for evals, as a product would use it (shown this once):
  ${evalKey}

Its webhook's receiver fails, so deliveries are paused. To fix it, run this, then resume deliveries on the page Webhook:
  WEBHOOK_SECRET=${webhookSecret} npm run webhook:listen`
}
