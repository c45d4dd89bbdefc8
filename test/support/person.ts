import { newId } from '../../src/core/ids.ts'
import { type Answer, send, type TestService } from './service.ts'

/** Someone with a local account, who calls REST with a Bearer token. */
export type Person = {
  userId: string
  email: string
  password: string
  token: string
  rest(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  graphql(query: string, variables?: Record<string, unknown>): Promise<Answer>
}

/** Lets each request name its client address, so that tests do not share the attempts of one address. */
export const trustedLoopback = { TRUST_PROXY: '127.0.0.1' }

/** An address that nobody else uses. */
export function newAddress(): Record<string, string> {
  const byte = () => Math.floor(Math.random() * 254) + 1
  return { 'x-forwarded-for': `10.${byte()}.${byte()}.${byte()}` }
}

export async function signUp(service: TestService, overrides: Record<string, unknown> = {}): Promise<Person> {
  const account = { email: `${newId()}@example.org`, password: 'correct horse', display_name: 'Ada', ...overrides }
  const { body, status } = await send(`${service.url}/user/sign-up`, 'POST', account, newAddress())
  if (status !== 201) throw new Error(`sign-up answered ${status}: ${JSON.stringify(body)}`)
  return personOf(service, { userId: body.user_id, token: body.token, ...account })
}

export function personOf(
  { url }: Pick<TestService, 'url'>,
  identity: { userId: string; email: string; password: string; token: string },
): Person {
  const authorization = `Bearer ${identity.token}`
  return {
    ...identity,
    rest: (method, path, body, headers = {}) =>
      send(`${url}${path}`, method, body, { authorization, ...newAddress(), ...headers }),
    graphql: (query, variables) => send(`${url}/graphql`, 'POST', { query, variables }, { authorization }),
  }
}

/** The person as a member of the organization, created by its admin. */
export async function addMember(
  admin: { rest: Person['rest'] },
  person: Pick<Person, 'userId'>,
  role: string,
): Promise<string> {
  const { body, status } = await admin.rest('POST', '/org/members', { user_id: person.userId, role })
  if (status !== 201) throw new Error(`adding a member answered ${status}: ${JSON.stringify(body)}`)
  return body.member_id
}

type Call = { organizationId?: string; headers?: Record<string, string> }

/** A browser on a page of the service: keeps cookies, and sends the origin of its page. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #url: string

  constructor({ url }: Pick<TestService, 'url'>) {
    this.#url = url
  }

  async graphql(query: string, variables: object = {}, { organizationId, headers = {} }: Call = {}): Promise<Answer> {
    const answer = await send(
      `${this.#url}/graphql`,
      'POST',
      { query, variables },
      {
        origin: this.#url,
        cookie: this.cookieHeader,
        ...newAddress(),
        ...(organizationId !== undefined && { 'x-organization-id': organizationId }),
        ...headers,
      },
    )
    this.keep(answer)
    return answer
  }

  get cookieHeader(): string {
    return Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join('; ')
  }

  keep({ headers }: Answer): void {
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0/i.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }

  async signIn({ email, password }: Pick<Person, 'email' | 'password'>): Promise<Answer> {
    return this.graphql('mutation ($input: SignInInput!) { signIn(input: $input) { userId } }', {
      input: { email, password },
    })
  }

  async enter(organizationId: string): Promise<Answer> {
    return this.graphql(
      'mutation ($input: SignInToOrganizationInput!) { signInToOrganization(input: $input) { organizationId sessionPrefix expiresAt } }',
      { input: { organizationId } },
    )
  }
}
