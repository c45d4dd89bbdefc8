import { Button, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { readWithToken } from '../../../api/read-with-token.ts'
import { toCurl, toGraphqlCurl } from '../../../components/api/api-examples.ts'
import { CodeBlock, Fold } from '../../../components/api/code-block.tsx'
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx'
import { PasswordField } from '../../../components/form/password-field.tsx'
import { createTokenExample, tokenRequest } from '../api-examples.ts'

/**
 * Shows how to create a token for this subscriber, and has a field to try it. Browsers and phones use tokens, because they have
 * no key.
 */
export function TryToken({ subscriberId }: { subscriberId: string }) {
  const [token, setToken] = useState('')
  const read = useMutation({ mutationFn: () => readWithToken(subscriberId, token.trim()) })
  const { origin } = window.location
  const example = createTokenExample(subscriberId)
  return (
    <section aria-labelledby="try-token">
      <Stack>
        <Title order={3} id="try-token">
          From a browser or a phone
        </Title>
        <Text c="dimmed">
          A token shows this subscriber’s entitlements and nothing else, for 15 minutes. Your backend makes it with its
          key:
        </Text>
        <CodeBlock title="Make a token" code={toCurl(origin, example)} />
        <Fold title="The same with GraphQL">
          <CodeBlock title="Make a token (GraphQL)" code={toGraphqlCurl(origin, example)} />
        </Fold>
        <CodeBlock title="In the page" code={tokenRequest(origin, subscriberId)} />
        <form
          onSubmit={(event) => {
            event.preventDefault()
            read.mutate()
          }}
        >
          <Stack>
            <PasswordField
              label="Token"
              description="Try it from here, as a page would. It counts as an eval and is not stored."
              autoComplete="off"
              value={token}
              onChange={(event) => setToken(event.currentTarget.value)}
            />
            <Button type="submit" variant="default" loading={read.isPending} disabled={token.trim() === ''}>
              Try the token (1 eval)
            </Button>
          </Stack>
        </form>
        {read.error && <ErrorPanel error={read.error} />}
        <div aria-live="polite">
          {read.data && <CodeBlock title={`Answer ${read.data.status}`} code={read.data.body} />}
        </div>
      </Stack>
    </section>
  )
}
