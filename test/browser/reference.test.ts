import { describe, expect, it } from 'vitest'
import { describeRestApi } from '../../rest/openapi/document.ts'
import { toOpenApi30 } from '../../rest/openapi/document-3.0.ts'
import { startBrowser } from '../support/browser.ts'
import { newAddress, trustedLoopback } from '../support/person.ts'
import { sharedService } from '../support/service.ts'

const service = await sharedService(trustedLoopback)

describe.each([
  ['/openapi.json', describeRestApi()],
  ['/openapi-3.0.json', toOpenApi30(describeRestApi())],
])('GET %s', (path, document) => {
  it('returns the OpenAPI document to anonymous clients, which may cache it for five minutes', async () => {
    const answer = await fetch(service.url + path)

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
    expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(document)))
  })
})

describe('GET /docs/reference', () => {
  it('returns a page that runs only scripts of this server, and may be cached for five minutes', async () => {
    const answer = await fetch(`${service.url}/docs/reference`)
    const page = await answer.text()

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; /)
    const scripts = Array.from(page.matchAll(/<script[^>]* src="([^"]+)"/g), ([, src]) => src as string)
    expect(scripts).toEqual(['/docs/assets/scalar.js', '/docs/assets/reference.js'])
    for (const script of scripts) {
      const { status, headers } = await fetch(service.url + script)
      expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    }
  })

  it('shows on a phone the operation that the anchor in the address names, and requests nothing from other hosts', async () => {
    const browser = await startBrowser()
    const { page, foreignUrls, consoleErrors } = await browser.open(service.url)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${service.url}/docs/reference#createPlan`)

    await page.getByRole('heading', { name: 'Create a plan.' }).waitFor()
    await page.waitForURL('**/docs/reference#tag/plans/createPlan')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect({ foreignUrls, consoleErrors }).toEqual({ foreignUrls: [], consoleErrors: [] })
  })

  it('lets a person send a request, which goes to this server', async () => {
    const browser = await startBrowser()
    const { page, foreignUrls, consoleErrors } = await browser.open(service.url)
    await page.setExtraHTTPHeaders(newAddress())
    await page.goto(`${service.url}/docs/reference#getService`)
    const operation = page.locator('[id$="/getService"]').first()
    await operation.getByRole('button', { name: /^Test Request/ }).click()
    const answered = page.waitForResponse(`${service.url}/service`)
    await page.getByRole('button', { name: /^Send/ }).first().click()

    expect((await answered).status()).toBe(200)
    expect({ foreignUrls, consoleErrors }).toEqual({ foreignUrls: [], consoleErrors: [] })
  })
})
