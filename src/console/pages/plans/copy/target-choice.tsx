import { Group, Radio, Stack } from '@mantine/core'
import { EnvironmentBadge } from '../../../components/text/environment-badge.tsx'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import type { PersonQuery } from '../../../generated/session.ts'

export type Organization = NonNullable<PersonQuery['user']>['organizations'][number]

type Props = { organizations: readonly Organization[]; value: string; onChange(organizationId: string): void }

/** Lets the person choose one of their other organizations; shows each one's environment and the person's role in it. */
export function TargetChoice({ organizations, value, onChange }: Props) {
  return (
    <Radio.Group label="Copy to" value={value} onChange={onChange}>
      <Stack gap="xs" mt="xs">
        {organizations.map(({ organizationId, name, environment, role }) => (
          <Radio
            key={organizationId}
            value={organizationId}
            label={
              <Group gap="xs" wrap="nowrap">
                {shortenMiddle(name, 60)}
                <EnvironmentBadge environment={environment} />
              </Group>
            }
            description={`You are ${role?.toLowerCase()}`}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
