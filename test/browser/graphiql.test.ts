import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { send, sharedService, startService } from '../support/service.ts'

const service = await sharedService()
const url = `${service.url}/graphql`
const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('GraphiQL in a browser', () => {
  it('runs a query with the API key from its headers tab, shows the schema, and requests nothing from other hosts', async () => {
    const caller = await service.organization()
    await caller.rest('POST', '/org/features', { key: 'seats', name: 'TeamSeats', kind: 'limit' })
    const browser = await startBrowser()
    const { page, foreignUrls, consoleErrors } = await browser.open(service.url)

    await page.goto(url)
    const result = page.getByLabel('Result Window')
    const run = page.getByRole('button', { name: /Execute query/ })
    await run.click()
    await result.getByText('UNAUTHORIZED').first().waitFor()

    await page.getByRole('button', { name: 'Headers' }).click()
    await page.locator('.monaco-editor[data-uri$="request-headers.json"]').click()
    await paste(page, `{ "X-API-Key": "${caller.key}" }`)
    await run.click()
    await result.getByText('TeamSeats').waitFor()
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/graphiql.png` })

    await page.getByLabel('Show Documentation Explorer').click()
    const docs = page.locator('.graphiql-doc-explorer')
    await docs.getByText('Query', { exact: true }).click()
    await docs.getByText('All reads.').waitFor()
    expect({ foreignUrls, consoleErrors }).toEqual({ foreignUrls: [], consoleErrors: [] })
  })
})

describe('GraphiQL on a phone', () => {
  it('shows the whole answer, stores no API key in the browser, and removes a key that an earlier version stored', async () => {
    const caller = await service.organization()
    await caller.rest('POST', '/org/features', { key: 'seats', name: 'TeamSeats', kind: 'limit' })
    const browser = await startBrowser()
    const { page, consoleErrors } = await browser.open(service.url)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${service.url}/healthz`)
    await page.evaluate((key) => {
      const headers = `{ "X-API-Key": "${key}" }`
      const tab = { id: 'old', hash: null, title: 'Old', query: '{ viewer { role } }', variables: '', headers }
      localStorage.setItem('graphiql:headers', headers)
      localStorage.setItem('graphiql:shouldPersistHeaders', 'true')
      localStorage.setItem('graphiql:tabState', JSON.stringify({ activeTabIndex: 0, tabs: [tab] }))
    }, caller.key)
    const kept = () =>
      page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]))
    expect(await kept()).toContain(caller.key)

    await page.goto(url)
    await page.getByRole('tab', { name: 'Catalog' }).waitFor()
    await page.getByRole('button', { name: 'Headers' }).click()
    await page.locator('.monaco-editor[data-uri$="request-headers.json"]').click()
    await paste(page, `{ "X-API-Key": "${caller.key}" }`)
    await page.getByRole('button', { name: /Execute query/ }).click()
    const answer = page.getByLabel('Result Window')
    await answer.getByText('TeamSeats').waitFor()

    const { width, height } = (await answer.boundingBox()) ?? { width: 0, height: 0 }
    expect(width).toBeGreaterThan(300)
    expect(height).toBeGreaterThan(200)
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/graphiql-390.png` })
    // GraphiQL stores its tabs half a second after a change.
    await page.waitForFunction(() => localStorage.getItem('graphiql:tabState')?.includes('Catalog'))
    expect(await kept()).not.toContain(caller.key)
    await page.reload()
    await page.getByRole('button', { name: /Execute query/ }).waitFor()
    expect(await kept()).not.toContain(caller.key)
    expect(consoleErrors).toEqual([])
  })
})

/** Pastes as a person does: inserts the clipboard's text at the cursor. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, text)
}

describe('the page of GraphiQL', () => {
  it('runs only its own scripts and loads nothing from other hosts', async () => {
    const { status, headers } = await send(url, 'GET', undefined, asBrowser)

    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; script-src ('sha256-[\w+/=]+' ){2}blob:; worker-src blob:; /)
    expect(policy).toContain("connect-src 'self'; ")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe-eval|https?:|\*/)
  })

  it('is sent once and then revalidated by its ETag', async () => {
    const first = await fetch(url, { headers: asBrowser })
    const tag = first.headers.get('etag') as string

    const again = await fetch(url, { headers: { ...asBrowser, 'if-none-match': tag } })

    expect(first.headers.get('content-encoding')).toBe('gzip')
    expect(await first.text()).toContain('<title>Entitlements · GraphiQL</title>')
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
  })

  it.each(['application/json', '*/*', 'application/graphql-response+json, */*;q=0.1'])(
    'is 404 for clients that accept %s, because it is only for browsers',
    async (accept) => {
      const answer = await send(`${url}?query=%7B__typename%7D`, 'GET', undefined, { accept })

      expect(answer.status).toBe(404)
      expect(answer.body.error).toMatchObject({ code: 'NOT_FOUND', details: null })
    },
  )

  it('is 404 if GraphiQL is disabled, as in production', async () => {
    const off = await startService({ NODE_ENV: 'production' })

    const answer = await send(`${off.url}/graphql`, 'GET', undefined, asBrowser)

    expect(answer.status).toBe(404)
    expect(answer.body.error).toMatchObject({ code: 'NOT_FOUND', details: null })
    const { body } = await send(`${off.url}/graphql`, 'POST', { query: '{ __typename }' })
    expect(body).toEqual({ data: { __typename: 'Query' } })
  })
})
