import { describe, expect, it } from 'vitest'
import { describeFirstSteps } from '../../src/welcome.ts'

const first = { url: 'http://127.0.0.1:4000', apiKey: 'ent_x', inviteLink: 'http://127.0.0.1:4000/join#inv_x' }

describe('the first steps', () => {
  it('link to GraphiQL only if it is served', () => {
    expect(describeFirstSteps({ ...first, graphiql: true })).toContain('In GraphiQL (http://127.0.0.1:4000/graphql)')
    expect(describeFirstSteps({ ...first, graphiql: false })).not.toContain('GraphiQL')
  })

  it('contain a request that reaches a service on a Unix socket', () => {
    expect(describeFirstSteps({ ...first, url: 'unix:/run/service.sock', graphiql: true })).toContain(
      'curl -X POST --unix-socket /run/service.sock http://localhost/org/features',
    )
  })
})
