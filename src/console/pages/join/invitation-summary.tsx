import { Text } from '@mantine/core'
import { Moment } from '../../components/text/moment.tsx'
import { describeRole, roleName } from '../../components/text/role-words.ts'
import type { Role } from '../../generated/session.ts'

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}

/** What the person says yes to, before anything is typed. */
export function InvitationSummary({ role, expiresAt }: { role: Role; expiresAt: string }) {
  return (
    <>
      <Text>
        You join as <strong>{roleName(role)}</strong>: {lowerFirst(describeRole(role))}
      </Text>
      <Text c="dimmed" mt={4} mb="lg">
        The invite ends <Moment at={expiresAt} />. Keep the link to yourself: whoever has it may join, once.
      </Text>
    </>
  )
}
