import { Button, Drawer, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiIcon } from '../icons/actions.tsx'
import { useFlag } from '../page/use-flag.ts'
import { type ApiExample, toCurl, toGraphqlCurl } from './api-examples.ts'
import { CodeBlock } from './code-block.tsx'
import classes from './use-the-api.module.css'

type Props = {
  /** What the examples do: "List the features". */
  title: string
  example: ApiExample
  /** Whether the drawer is open, as the page's address has it. */
  opened: boolean
  onChange(opened: boolean): void
  /** What follows the examples. */
  children?: ReactNode
}

/** `UseTheApi`, opened by a flag in the page's address. */
export function PageApi(props: Pick<Props, 'title' | 'example'>) {
  const { isOn, set } = useFlag('api')
  return <UseTheApi {...props} opened={isOn} onChange={set} />
}

/** The page's requests for a program: with real ids and a placeholder for the key. */
export function UseTheApi({ title, example, opened, onChange, children }: Props) {
  const { origin } = window.location
  return (
    <>
      <Button
        variant="default"
        classNames={{ root: classes.button, section: classes.icon, label: classes.words }}
        leftSection={<ApiIcon size={16} />}
        onClick={() => onChange(true)}
      >
        Use the API
      </Button>
      <Drawer opened={opened} onClose={() => onChange(false)} title="Use the API" size="lg">
        <Stack>
          <Text c="dimmed">{title}. Set ENTITLEMENTS_API_KEY to the key of a service account first.</Text>
          <CodeBlock title="REST" code={toCurl(origin, example)} />
          <CodeBlock title="GraphQL" code={toGraphqlCurl(origin, example)} />
          {children}
        </Stack>
      </Drawer>
    </>
  )
}
