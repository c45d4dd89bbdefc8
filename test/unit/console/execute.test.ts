import { expect, it, onTestFinished, vi } from 'vitest'
import { execute } from '../../../src/console/api/execute.ts'
import { TypedDocument } from '../../../src/console/api/typed-document.ts'

it('an answer that does not come from the service counts as no answer, even if it is JSON', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ message: 'no healthy upstream' }, { status: 503 }))
  onTestFinished(() => void vi.unstubAllGlobals())
  const document = new TypedDocument<{ user: object }, object>('Person', 'query Person { user { userId } }')

  await expect(execute(document, {}, { organizationId: null })).rejects.toThrow('The server cannot be reached.')
})
