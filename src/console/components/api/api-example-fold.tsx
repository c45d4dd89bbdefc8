import { Stack } from '@mantine/core'
import { type ApiExample, toCurl, toGraphqlCurl } from './api-examples.ts'
import { CodeBlock, Fold } from './code-block.tsx'
import classes from './form-api.module.css'

/** A collapsed section of a drawer, "Use the API", with the request as programs would send it. */
export function ApiExampleFold({ title = 'Use the API', example }: { title?: string; example: ApiExample }) {
  const { origin } = window.location
  return (
    <Fold title={title}>
      <Stack mt="xs">
        <CodeBlock title="REST" code={toCurl(origin, example)} />
        <CodeBlock title="GraphQL" code={toGraphqlCurl(origin, example)} />
      </Stack>
    </Fold>
  )
}

/** Below a form: the API request that it sends, with the values typed so far. */
export function FormApiExample({ example }: { example: ApiExample }) {
  return (
    <div className={classes.below}>
      <ApiExampleFold example={example} />
    </div>
  )
}
