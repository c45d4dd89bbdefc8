import { Group } from '@mantine/core'
import { RadioChoice } from '../../../components/form/radio-choice.tsx'
import { EnvironmentBadge } from '../../../components/text/environment-badge.tsx'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import type { PersonQuery } from '../../../generated/session.ts'

export type Organization = NonNullable<PersonQuery['user']>['organizations'][number]

type Props = { organizations: readonly Organization[]; value: string; onChange(organizationId: string): void }

/** Lets the person choose one of their other organizations; shows each one's environment and the person's role in it. */
export function TargetChoice({ organizations, value, onChange }: Props) {
  const choices = organizations.map(({ organizationId, name, environment, role }) => ({
    value: organizationId,
    label: (
      <Group gap="xs" wrap="nowrap">
        {shortenMiddle(name, 60)}
        <EnvironmentBadge environment={environment} />
      </Group>
    ),
    description: `You are ${role?.toLowerCase()}`,
  }))
  return <RadioChoice label="Copy to" choices={choices} value={value} onChange={onChange} />
}
