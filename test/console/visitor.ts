import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TestPage } from '../support/browser.ts'
import { findSerious } from './axe.ts'

const widths = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }

/** The scheme in which axe judges each width: every colour and every layout once. */
const judged = { desktop: 'dark', phone: 'light' } as const

/** A person in front of a browser, and what they must never meet. */
export type Visitor = {
  page: Page
  /** Looks at the page as it stands, wide and in dark, narrow and in light: axe finds nothing serious, and nothing scrolls sideways. */
  inspect(name: string): Promise<void>
  /** Signs in on whatever asks for it: a page or a dialog. */
  signIn(person: { email: string; password: string }): Promise<void>
  /** No error in the browser's console, and no request to another host. */
  expectNoComplaint(): void
}

export function visit({ page, strangers, complaints }: TestPage): Visitor {
  return {
    page,
    async inspect(name) {
      for (const [size, viewport] of Object.entries(widths)) {
        await page.setViewportSize(viewport)
        await shoot(page, `${name}-${size}`)
        const colorScheme = judged[size as keyof typeof judged]
        await page.emulateMedia({ colorScheme })
        expect(await findSerious(page), `${name} on a ${size}, ${colorScheme}`).toEqual([])
        expect(await scrollsSideways(page), `${name} scrolls sideways on a ${size}`).toBe(false)
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
      expect({ strangers, complaints }).toEqual({ strangers: [], complaints: [] })
    },
  }
}

function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
}

/** In dark and light, with SCREENSHOTS, the folder to put them into. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png`, animations: 'disabled' })
  }
}
