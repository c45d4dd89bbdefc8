import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TestPage } from '../support/browser.ts'
import { findSeriousViolations } from './axe.ts'

const widths = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }

/** The colour scheme that axe checks at each width, so that every colour and every layout is checked once. */
const colorSchemes = { desktop: 'dark', phone: 'light' } as const

/** A person who uses the console in a browser. */
export type Visitor = {
  page: Page
  /**
   * Checks the current page, wide and dark, then narrow and light: axe finds nothing serious, and nothing scrolls sideways.
   */
  inspect(name: string): Promise<void>
  /** Signs in on the page or dialog that asks for it. */
  signIn(person: { email: string; password: string }): Promise<void>
  /** Expects no error in the browser's console, and no request to another host. */
  expectNoComplaint(): void
}

export function visit({ page, foreignUrls, consoleErrors }: TestPage): Visitor {
  return {
    page,
    async inspect(name) {
      for (const [size, viewport] of Object.entries(widths)) {
        await page.setViewportSize(viewport)
        await takeScreenshots(page, `${name}-${size}`)
        const colorScheme = colorSchemes[size as keyof typeof colorSchemes]
        await setColorScheme(page, colorScheme)
        expect(await findSeriousViolations(page), `${name} on a ${size}, ${colorScheme}`).toEqual([])
        expect(await scrollsSideways(page), `${name} scrolls sideways on a ${size}`).toBe(false)
        expect(await findWordsInTabularFigures(page), `${name} on a ${size}`).toEqual([])
        expect(await findOddWords(page), `${name} on a ${size}`).toEqual([])
        expect(await page.getByRole('banner').count(), `banners of ${name} on a ${size}`).toBeLessThanOrEqual(1)
        expect((await listPrimaryButtons(page)).slice(1), `other primary actions of ${name} on a ${size}`).toEqual([])
      }
      await page.setViewportSize(widths.desktop)
    },
    async signIn({ email, password }) {
      const field = page.getByLabel('E-mail')
      if (await field.isEditable()) await field.fill(email)
      await page.getByRole('textbox', { name: 'Password' }).fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
    },
    expectNoComplaint() {
      expect({ foreignUrls, consoleErrors }).toEqual({ foreignUrls: [], consoleErrors: [] })
    },
  }
}

function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
}

/** Finds words and hyphens that are set in tabular figures, which stretch hyphens. */
function findWordsInTabularFigures(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const inputs = [...document.querySelectorAll('input:not([type=datetime-local]), select, textarea')]
    const texts = [...document.querySelectorAll('body *')].flatMap((element) => {
      const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
      const text = inputs.includes(element)
        ? (element as HTMLInputElement).value
        : own.map((node) => node.nodeValue).join('')
      return getComputedStyle(element).fontVariantNumeric.includes('tabular') ? [text] : []
    })
    return texts.filter((text) => /[\p{L}-]/u.test(text))
  })
}

/** The labels of the primary buttons of the page, without those of dialogs and drawers above it. */
function listPrimaryButtons(page: Page): Promise<string[]> {
  return page.locator('main .mantine-Button-root[data-variant="filled"]').filter({ visible: true }).allInnerTexts()
}

/** Finds text that is not fit for people: the server's own messages, straight quotes, a space before a percent sign. */
function findOddWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const odd = /"|\p{L}'\p{L}|\d %|\bstring of\b|\b(?:is|are) paused since\b|^Must be\b/u
    const isCode = (node: Node) => node.parentElement?.closest('code, pre, del, ins, textarea, script, style, svg')
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    while (walker.nextNode()) {
      const { currentNode } = walker
      const text = currentNode.nodeValue ?? ''
      // Text with braces is JSON that a person typed.
      if (odd.test(text) && !/[{}]/.test(text) && !isCode(currentNode)) found.push(text)
    }
    return found
  })
}

/** Sets the system's colour scheme, and waits until the page has followed it, unless the person chose one on the page. */
async function setColorScheme(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.waitForFunction((expected) => {
    const current = document.documentElement.dataset.mantineColorScheme
    const chosen = localStorage.getItem('console:color-scheme')
    return !current || chosen === 'dark' || chosen === 'light' || current === expected
  }, colorScheme)
}

/** Takes screenshots, dark and light, if SCREENSHOTS names a folder for them. */
async function takeScreenshots(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  for (const colorScheme of ['dark', 'light'] as const) {
    await setColorScheme(page, colorScheme)
    await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png`, animations: 'disabled' })
  }
}
