import { ActionIcon, Drawer, Menu, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { MoreIcon } from '../icons/actions.tsx'
import { useFlag } from '../page/use-flag.ts'
import { type ApiExample, toCurl, toGraphqlCurl } from './api-examples.ts'
import { CodeBlock } from './code-block.tsx'

type Props = {
  /** What the examples do: "List the features". */
  title: string
  example: ApiExample
  /** Whether the drawer is open, from the page's address. */
  opened: boolean
  onChange(opened: boolean): void
  /** The other items of the page's menu. */
  items?: ReactNode
  /** Content below the examples. */
  children?: ReactNode
}

/** `ApiMenu`, opened by a flag in the page's address. */
export function PageApiMenu(props: Pick<Props, 'title' | 'example' | 'items'>) {
  const { isOn, set } = useFlag('api')
  return <ApiMenu {...props} opened={isOn} onChange={set} />
}

/** The page's menu. Its last item shows the page's requests as API calls, with real ids and a placeholder for the key. */
export function ApiMenu({ title, example, opened, onChange, items, children }: Props) {
  const { origin } = window.location
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size="input-sm" aria-label="More">
            <MoreIcon size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {items}
          <Menu.Item onClick={() => onChange(true)}>Use the API</Menu.Item>
        </Menu.Dropdown>
      </Menu>
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

/** The item of the page's menu that deletes the object of the page. */
export function DeleteItem({ onClick, children = 'Delete' }: { onClick(): void; children?: string }) {
  return (
    <Menu.Item color="red" onClick={onClick}>
      {children}
    </Menu.Item>
  )
}
