import { Stack } from '@mantine/core'
import { type ApiExample, toCurl, toGraphqlCurl } from './api-examples.ts'
import { CodeBlock } from './code-block.tsx'
import classes from './form-api.module.css'

/** Below a form: what it sends, for a program, with what is typed so far. */
export function FormApi({ example }: { example: ApiExample }) {
  const { origin } = window.location
  return (
    <details className={classes.details}>
      <summary>Use the API</summary>
      <Stack mt="xs">
        <CodeBlock title="REST" code={toCurl(origin, example)} />
        <CodeBlock title="GraphQL" code={toGraphqlCurl(origin, example)} />
      </Stack>
    </details>
  )
}
