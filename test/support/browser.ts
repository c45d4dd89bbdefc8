import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inflate } from '@sparticuz/chromium'
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core'
import { inject, onTestFinished, TestRunner } from 'vitest'
import { atEnd } from './at-end.ts'

export type TestPage = {
  page: Page
  /** Addresses that the page requested from other hosts, all unreachable. */
  foreignUrls: string[]
  /** The errors in the browser's console. */
  consoleErrors: string[]
}

/** The settings of a page; those that a test does not set are the machine's own. */
type Device = Pick<BrowserContextOptions, 'timezoneId' | 'locale' | 'viewport' | 'isMobile' | 'hasTouch'>

export type TestBrowser = { open(origin: string, device?: Device): Promise<TestPage> }

/** A real Chromium from its npm package, or the one named by CHROMIUM. All files of a worker share it. */
export async function startBrowser(): Promise<TestBrowser> {
  const browser = await sharedBrowser()
  return { open: (origin, device) => openPage(browser, origin, device) }
}

let shared: Promise<Browser> | undefined

/** The browser ends with the worker's process. If it crashes, the next file gets a new one. */
async function sharedBrowser(): Promise<Browser> {
  const browser = await shared?.catch(() => undefined)
  if (browser?.isConnected()) return browser
  shared = launch()
  return shared
}

async function launch(): Promise<Browser> {
  return chromium.launch({
    ...(process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM } : await unpackChromium()),
    chromiumSandbox: false,
    args: [
      // No page lives long enough to gain from optimized code.
      '--js-flags=--no-opt,--no-maglev',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // One name of another site resolves to this machine; all other hosts are unreachable.
      '--host-resolver-rules=MAP rebound.example 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  })
}

/** A page with its own cookies and storage, closed after the test or the file. */
async function openPage(browser: Browser, origin: string, device: Device = {}): Promise<TestPage> {
  // Reduced motion, so that no test waits for a drawer's animation.
  const viewport = { width: 1400, height: 900 }
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', ...device })
  atEnd(() => context.close())
  context.setDefaultTimeout(inject('waitMs'))
  const page = await context.newPage()
  // A handler of a test may still answer a request that the page sent last. Runs before the context is closed.
  atEnd(() => page.unrouteAll({ behavior: 'ignoreErrors' }))
  const [foreignUrls, consoleErrors]: [string[], string[]] = [[], []]
  // Only listens, because intercepting requests would also turn off the browser's cache.
  page.on('request', (request) => {
    const asked = new URL(request.url())
    if (asked.origin !== origin && asked.protocol !== 'data:' && asked.protocol !== 'blob:')
      foreignUrls.push(asked.href)
  })
  page.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(message.text())
  })
  page.on('pageerror', (error) => consoleErrors.push(String(error)))
  if (TestRunner.getCurrentTest() !== undefined) reportOnFailure(page, consoleErrors)
  return { page, foreignUrls, consoleErrors }
}

/** Adds to a failed test's errors the text of the page and its pending requests, because a time-out alone does not say why. */
function reportOnFailure(page: Page, consoleErrors: readonly string[]): void {
  const refused: string[] = []
  const unanswered = new Set<Request>()
  page.on('request', (request) => unanswered.add(request))
  page.on('requestfailed', (request) => unanswered.delete(request))
  page.on('requestfinished', (request) => unanswered.delete(request))
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
  })
  onTestFinished(async ({ task: { result } }) => {
    if (result?.state !== 'fail') return
    const shown = await page
      .locator('body')
      .ariaSnapshot({ timeout: 10_000 })
      .catch((error) => `The page cannot be read: ${error}`)
    const waiting = Array.from(unanswered, (request) => `Unanswered: ${request.url()} ${request.postData() ?? ''}`)
    const lines = [`The page when the test failed: ${page.url()}`, ...consoleErrors, ...refused, ...waiting, shown]
    const message = lines.join('\n')
    result.errors?.push({ name: 'Page', message, stack: message })
  })
}

const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url))

/** Chromium with its libraries and fonts, all from its package; unpacked once for each `npm ci`. */
async function unpackChromium(): Promise<{ executablePath: string; env: Record<string, string> }> {
  const folder = join(modules, '.cache', 'chromium')
  if (!existsSync(folder)) await unpackInto(folder)
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  }
}

/** Unpacks beside the target, then moves the whole there, because another test file may unpack it too. */
async function unpackInto(folder: string): Promise<void> {
  await mkdir(join(modules, '.cache'), { recursive: true })
  const own = await mkdtemp(`${folder}-`)
  const { TMPDIR } = process.env
  // The package unpacks into the folder for temporary files.
  process.env.TMPDIR = own
  const bin = join(modules, '@sparticuz', 'chromium', 'bin')
  const unpacking = ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'].map((name) => inflate(join(bin, name)))
  if (TMPDIR === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = TMPDIR
  await Promise.all(unpacking)
  // The configuration of the package looks for the fonts in /tmp.
  await writeFile(join(own, 'fonts.conf'), `<fontconfig><dir>${join(folder, 'fonts')}</dir></fontconfig>`)
  await rename(own, folder).catch(() => rm(own, { recursive: true }))
}
