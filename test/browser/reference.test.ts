import { describe, expect, it } from 'vitest'
import { describeRestApi } from '../../rest/openapi/document.ts'
import { toOpenApi30 } from '../../rest/openapi/document-3.0.ts'
import { operationIdOf } from '../../rest/openapi/operation-id.ts'
import { restRoutes } from '../../rest/routes.ts'
import { startBrowser } from '../support/browser.ts'
import { sharedService } from '../support/service.ts'

const service = await sharedService()

describe.each([
  ['/openapi.json', describeRestApi()],
  ['/openapi-3.0.json', toOpenApi30(describeRestApi())],
])('GET %s', (path, document) => {
  it('answers anybody with the OpenAPI document, which may be cached for minutes', async () => {
    const answer = await fetch(service.url + path)

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
    expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(document)))
  })
})

describe('GET /docs/reference', () => {
  it('shows every operation with its route and an example, without a script', async () => {
    const answer = await fetch(`${service.url}/docs/reference`)
    const page = await answer.text()

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(page).not.toMatch(/<script|style="|undefined|\[object/)
    for (const { operation } of restRoutes) {
      expect(page).toContain(`<section id="${operationIdOf(operation)}">`)
      expect(page).toContain(`<code>${operation.method} ${operation.route}</code>`)
    }
    expect(page.split('<h4>Example</h4>').length).toBe(restRoutes.length + 1)
  })

  it('has no broken links and no duplicate targets', async () => {
    const page = await (await fetch(`${service.url}/docs/reference`)).text()

    const ids = Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id]) => id)
    const links = Array.from(page.matchAll(/href="#([^"]+)"/g), ([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(links.filter((id) => !ids.includes(id))).toEqual([])
  })

  it('is readable on a phone, and requests nothing from other hosts', async () => {
    const browser = await startBrowser()
    const { page, strangers, complaints } = await browser.open(service.url)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${service.url}/docs/reference#createPlan`)

    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await expect.poll(() => page.locator('#createPlan h3').isVisible()).toBe(true)
    expect({ strangers, complaints }).toEqual({ strangers: [], complaints: [] })
  })
})
