import { command, integerBetween, run } from '../cli/command.ts'
import { withMigratedDatabase } from '../cli/with-database.ts'
import { baseUrlOf, loadConfig } from '../config.ts'
import { print, printProgress } from '../core/print.ts'
import { type FilledDemo, fillDemo } from './fill.ts'
import { organizationName } from './people.ts'

type Options = { again: boolean; yes: boolean; subscribers: number }

await run(
  command('demo')
    .description(
      `Creates the organization "${organizationName}" with three months of history: features, plans, subscribers, overrides, successful and failed deliveries, and four people in four roles, whose passwords it prints. Uses the database of npm start, whether or not the service is running.`,
    )
    .option('--again', 'create the organization even if the database already has one with this name')
    .option('--yes', 'allow the demo in production, and on a server that already has people')
    .option('--subscribers <number>', 'number of subscribers, from 10 to 20000', integerBetween(10, 20_000), 1000)
    .action(async ({ again = false, yes = false, subscribers }) => print(await fill({ again, yes, subscribers }))),
)

async function fill(options: Options): Promise<string> {
  const config = loadConfig(process.env)
  return withMigratedDatabase(config, async (located) => {
    const startedAt = performance.now()
    const onProgress = createProgress()
    const filled = await fillDemo({ databaseUrl: located.directUrl, config, ...options, onProgress })
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    const isRunning = located.kind === 'running'
    return describe(filled, { seconds, isRunning, baseUrl: baseUrlOf(config) })
  })
}

/** Rewrites one line on a terminal; elsewhere prints a line for each tenth of the work. */
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
Sign in with one of these (the passwords are shown only once):
${people.join('\n')}

A key for evals, as a product would use it (shown only once):
  ${evalKey}

Its webhook's receiver fails, so deliveries are paused. To fix it, run this, then resume deliveries on the page Webhook:
  WEBHOOK_SECRET=${webhookSecret} npm run webhook:listen`
}
