import { describe, expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe.each([
  ['/', 'This server answers which features a subscriber may use'],
  ['/join', 'You are invited to an organization'],
])('the page at %s', (path, text) => {
  it('explains to people in a browser what this is, without a script', async () => {
    const answer = await fetch(service.url + path, { headers: asBrowser })
    const page = await answer.text()

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(page).toContain(text)
    expect(page).not.toMatch(/<script|style=/)
  })

  it.each([undefined, '*/*', 'application/json'])('is a 404 in JSON for a program (Accept: %s)', async (accept) => {
    const answer = await fetch(service.url + path, { headers: accept === undefined ? {} : { accept } })

    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ error: { code: 'NOT_FOUND' } })
  })
})

it('other unknown paths stay a 404 in JSON, for a browser too', async () => {
  for (const path of ['/joined', '/join/x', '/org/none', '/index.html']) {
    const answer = await fetch(service.url + path, { headers: asBrowser })
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
      path,
      404,
      'application/json; charset=utf-8',
    ])
  }
  expect((await fetch(`${service.url}/join`, { method: 'POST', headers: asBrowser })).status).toBe(404)
})

it('display as intended, also on a phone', async () => {
  const browser = await startBrowser()
  const { page, strangers, complaints } = await browser.open(service.url)
  await page.setViewportSize({ width: 390, height: 844 })

  for (const path of ['/', '/join#inv_x']) {
    await page.goto(service.url + path)
    expect(await page.locator('body').evaluate((body) => getComputedStyle(body).maxWidth)).not.toBe('none')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  }
  expect({ strangers, complaints }).toEqual({ strangers: [], complaints: [] })
})
