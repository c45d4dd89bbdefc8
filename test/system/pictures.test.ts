import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
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
it.skipIf(process.env.CHROMIUM !== undefined)(
  'the console looks as in the stored pictures; after a change, run `npm run pictures:update`, and look at them',
  async () => {
    const demo = await startDemo()
    const browser = await startBrowser()
    const person = new Browser(demo)
    await person.signIn(demo.accounts[0] as FilledDemo['accounts'][number])
    await person.enter(demo.organizationId)
    const cookies = Array.from(person.cookies, ([name, value]) => ({ name, value, url: demo.url }))
    const waiting = [...states]
    const wrong: string[] = []

    async function visit(): Promise<void> {
      const { page } = await browser.open(demo.url, { timezoneId: 'UTC', locale: 'en-US' })
      await page.context().addCookies(cookies)
      await page.clock.setFixedTime(shownAt)
      const untilComplete = watchRequests(page)
      for (let state = waiting.shift(); state; state = waiting.shift()) {
        const { name, path, act, isWhole } = state
        await page.setViewportSize(widths.desktop)
        await page.goto(
          path.startsWith('//') ? demo.url + path.slice(1) : `${demo.url}/o/${demo.organizationId}${path}`,
        )
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
        // Typed text does not reappear in the next state.
        await page.evaluate(() => sessionStorage.clear())
      }
    }

    await Promise.all(Array.from({ length: parallelVisits }, visit))
    expect(wrong, 'Pictures of what differs are in node_modules/.cache/pictures').toEqual([])
  },
  240_000,
)
