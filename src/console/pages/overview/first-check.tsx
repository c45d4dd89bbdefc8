import { toCurl } from '../../components/api/api-examples.ts'
import { CodeBlock } from '../../components/api/code-block.tsx'
import { checkOf } from './api-examples.ts'

type Props = { feature: string | undefined; subscriberId: string | undefined }

/** The command for the first check, with what is really there. */
export function FirstCheck({ feature = 'FEATURE', subscriberId = 'SUBSCRIBER' }: Props) {
  return <CodeBlock title="As curl" code={toCurl(window.location.origin, checkOf(subscriberId, feature))} />
}
