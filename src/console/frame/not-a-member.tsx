import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { PersonDocument } from '../generated/session.ts'
import { usePersonQuery } from '../session/queries.ts'
import { PlainFrame } from './plain-frame.tsx'
import { useSignOut } from './use-sign-out.ts'

/** Replaces the pages of an organization that the person may not enter, with a link to the person's own organizations. */
export function NotAMember() {
  const user = usePersonQuery(PersonDocument, {}).data?.user
  const signOut = useSignOut()
  return (
    <PlainFrame
      title="You are not a member of this organization"
      description="You were removed or disabled, or the address is of another organization. Your account is unchanged. To come back, ask an admin of the organization."
    >
      <Group justify="space-between">
        <Link to="/organizations">Your organizations</Link>
        <Group gap="xs">
          {user && `Signed in as ${user.displayName}.`}
          <Button variant="default" onClick={() => void signOut()}>
            Sign out
          </Button>
        </Group>
      </Group>
    </PlainFrame>
  )
}
