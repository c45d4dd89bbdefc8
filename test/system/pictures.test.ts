import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { FilledDemo } from '../../src/demo/fill.ts'
import { atEnd } from '../support/at-end.ts'
import { startBrowser } from '../support/browser.ts'
import { findFreePort } from '../support/free-port.ts'
import { inheritedEnv } from '../support/inherited-env.ts'
import { testMasterKey } from '../support/master-key.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { Browser } from '../support/person.ts'
import { comparePicture } from './pictures/compare.ts'
import { states } from './pictures/states.ts'
import { takePicture, watchRequests } from './pictures/still-page.ts'

const widths = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
const looks = ['light', 'dark'] as const

/** One colour scheme for each width, so that every colour and every layout is shown once. */
const colorSchemes = { desktop: 'dark', phone: 'light' } as const

/** The demo ends at this moment. Its people look at it a little later, so that "10 min ago" is the same on a slow machine. */
const demoNow = new Date('2026-03-18T10:00:00Z')
const shownAt = new Date(demoNow.getTime() + 10.5 * 60_000)

/** The demo in a process with a clock of its own. */
async function startDemo(): Promise<FilledDemo & { url: string }> {
  const [databaseUrl, port] = [await createOwnDatabase(), await findFreePort()]
  const env = { DATABASE_URL: databaseUrl, PORT: `${port}`, MASTER_KEY: testMasterKey, DEMO_NOW: demoNow.toISOString() }
  const child = spawn(process.execPath, ['test/system/pictures/serve.ts', 'api'], {
    env: { ...inheritedEnv, LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  atEnd(() => end(child))
  const filled = once(createInterface(child.stdout), 'line')
  let stderrText = ''
  for await (const chunk of child.stderr.iterator({ destroyOnReturn: false })) {
    stderrText += chunk
    if (!/is running/.test(stderrText)) continue
    child.stderr.resume()
    const [line] = await filled
    return { ...JSON.parse(line), url: `http://127.0.0.1:${port}` }
  }
  throw new Error(`The demo did not start: ${stderrText}`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** How many states of the console are compared at a time: as many as a small machine has processors. */
const parallelVisits = 2

// Other browsers draw letters differently.
const hasOtherBrowser = process.env.CHROMIUM !== undefined
/** The visitors that no test uses. */
const free = hasOtherBrowser ? [] : await openVisitors()
/** The tests that wait for a visitor. */
const waiting: ((visitor: Visitor) => void)[] = []

type Visitor = { page: Page; untilComplete(): Promise<void>; urlOf(path: string): string }

/** One session in several windows. */
async function openVisitors(): Promise<Visitor[]> {
  const [demo, browser] = [await startDemo(), await startBrowser()]
  const person = new Browser(demo)
  await person.signIn(demo.accounts[0] as FilledDemo['accounts'][number])
  await person.enter(demo.organizationId)
  const cookies = Array.from(person.cookies, ([name, value]) => ({ name, value, url: demo.url }))
  const urlOf = (path: string) =>
    demo.url + (path.startsWith('//') ? path.slice(1) : `/o/${demo.organizationId}${path}`)
  const opening = Array.from({ length: parallelVisits }, async () => {
    const { page } = await browser.open(demo.url, { timezoneId: 'UTC', locale: 'en-US' })
    await page.context().addCookies(cookies)
    await page.clock.setFixedTime(shownAt)
    return { page, untilComplete: watchRequests(page), urlOf }
  })
  return Promise.all(opening)
}

/** Runs `visit` with a visitor that no other test uses. */
async function withVisitor(visit: (visitor: Visitor) => Promise<void>): Promise<void> {
  const visitor = free.pop() ?? (await new Promise<Visitor>((resolve) => waiting.push(resolve)))
  try {
    await visit(visitor)
    // Typed text does not reappear in the next state.
    await visitor.page.evaluate(() => sessionStorage.clear())
  } finally {
    const next = waiting.shift()
    if (next) next(visitor)
    else free.push(visitor)
  }
}

it.skipIf(hasOtherBrowser).concurrent.each(states)(
  'the console looks as in the stored pictures; after a change, run `npm run pictures:update`, and look at them: $name',
  ({ name, path, act, isWhole }) =>
    withVisitor(async ({ page, untilComplete, urlOf }) => {
      const wrong: string[] = []
      await page.setViewportSize(widths.desktop)
      await page.goto(urlOf(path))
      await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor()
      await untilComplete()
      await act?.(page)
      for (const width of ['desktop', 'phone'] as const) {
        await page.setViewportSize(widths[width])
        for (const colorScheme of isWhole ? looks : [colorSchemes[width]]) {
          await page.emulateMedia({ colorScheme })
          await page.locator(`[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
          await untilComplete()
          const problem = await comparePicture(`${name}-${width}-${colorScheme}`, () => takePicture(page))
          if (problem) wrong.push(problem)
        }
      }
      expect(wrong, 'Pictures of what differs are in node_modules/.cache/pictures').toEqual([])
    }),
)
