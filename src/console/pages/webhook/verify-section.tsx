import { Text } from '@mantine/core'
import { CodeBlock } from '../../components/api/code-block.tsx'
import { Fold } from '../../components/api/fold.tsx'
import { Section } from '../../components/page/section.tsx'
import { verifySnippet } from './verify-snippet.ts'

/** What the receiver does with a request, folded up until someone connects one. */
export function VerifySection() {
  return (
    <Section title="Verify in your receiver">
      <Fold title="How to tell that a request came from here">
        <Text c="dimmed" my="xs">
          Anybody can send a POST to your address. Trust only what is signed with your secret, answer with a 2xx within
          5 seconds, and expect to get an event twice.
        </Text>
        <CodeBlock title="Node" code={verifySnippet} />
      </Fold>
    </Section>
  )
}
