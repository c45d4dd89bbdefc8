import type { TestProvider } from './oidc.ts'
import { Browser, newAddress } from './person.ts'
import type { TestService } from './service.ts'

type Reply = { status: number; location: string | null; text: string; headers: Headers }

/** A browser that follows the redirects between a service and its identity provider, one at a time. */
export class OidcBrowser {
  /** The pages of the service, with the cookies that it set. */
  readonly pages: Browser
  readonly #service: Pick<TestService, 'url'>
  readonly #atProvider = new Map<string, string>()
  readonly #address = newAddress()
  /** The cookies that the service set for its own paths of the sign-in. */
  kept: string | undefined

  constructor(service: Pick<TestService, 'url'>) {
    this.#service = service
    this.pages = new Browser(service)
  }

  /** Makes a whole sign-in; returns the answer to its last step. */
  async signIn(provider: TestProvider, subject: string | null, to?: string): Promise<Reply> {
    const { location } = await this.start(to)
    return this.get(await this.visit(provider, subject, location as string))
  }

  /** Follows the link of the sign-in page, so it also sends the cookies that are `SameSite=Strict`. */
  start(to?: string): Promise<Reply> {
    const path = `/auth/oidc/start${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`
    return this.get(path, { cookie: this.pages.cookieHeader })
  }

  /** Requests a page of the service as a link does; keeps the cookies that the service sets. */
  async get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
    const url = new URL(path, this.#service.url)
    const cookie = this.kept === undefined ? '' : `ent_oidc=${this.kept}`
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'text/html', cookie, ...this.#address, ...headers },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const isEnded = /max-age=0/i.test(line)
      if (name === 'ent_oidc') this.kept = isEnded ? undefined : value
      else if (!isEnded) this.pages.cookies.set(name, value)
    }
    const { status } = response
    return {
      status,
      location: response.headers.get('location'),
      text: await response.text(),
      headers: response.headers,
    }
  }

  /** Signs in at the provider; returns the address to which it sends the browser back. */
  async visit(provider: TestProvider, subject: string | null, address: string): Promise<string> {
    provider.next = subject
    this.#atProvider.clear()
    for (let url = address; ; ) {
      const cookie = Array.from(this.#atProvider, ([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(url, { redirect: 'manual', headers: { cookie, accept: 'text/html' } })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        this.#atProvider.set(name, value)
      }
      const location = response.headers.get('location')
      if (location === null) throw new Error(`The provider answered ${response.status}: ${await response.text()}`)
      url = new URL(location, url).href
      if (url.startsWith(this.#service.url)) return url
    }
  }
}
