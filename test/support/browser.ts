import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inflate } from '@sparticuz/chromium'
import { chromium, type Page } from 'playwright-core'
import { afterAll } from 'vitest'

export type TestPage = {
  page: Page
  /** Addresses of other hosts that the page requested; every one was blocked. */
  strangers: string[]
  /** The errors in the browser's console. */
  complaints: string[]
}

/** A real Chromium from its npm package; CHROMIUM names another one. Closed after the file's tests. */
export async function startBrowser(): Promise<{ open(origin: string): Promise<TestPage> }> {
  const browser = await chromium.launch({
    ...(process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM } : await unpackChromium()),
    chromiumSandbox: false,
    args: [
      '--no-zygote',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // A name whose owner lets it resolve to this machine.
      '--host-resolver-rules=MAP rebound.example 127.0.0.1',
    ],
  })
  afterAll(() => browser.close())

  return {
    async open(origin) {
      const page = await browser.newPage({ viewport: { width: 1400, height: 900 } })
      const [strangers, complaints]: [string[], string[]] = [[], []]
      await page.route('**/*', (route) => {
        const asked = new URL(route.request().url())
        if (asked.origin === origin || asked.protocol === 'data:' || asked.protocol === 'blob:') return route.continue()
        strangers.push(asked.href)
        return route.abort()
      })
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(String(error)))
      return { page, strangers, complaints }
    },
  }
}

const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url))

/** Chromium with the libraries and fonts that it needs, all from its package; unpacked once for each `npm ci`. */
async function unpackChromium(): Promise<{ executablePath: string; env: Record<string, string> }> {
  const folder = join(modules, '.cache', 'chromium')
  if (!existsSync(folder)) await unpackInto(folder)
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  }
}

/** Unpacks next to its place and then moves the whole there: another test file may unpack it too. */
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
