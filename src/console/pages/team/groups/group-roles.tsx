import { ActionIcon, Box, Button, Group, Input, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { writeExample } from '../../../components/api/api-examples.ts'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { ServerForm } from '../../../components/form/server-form.tsx'
import { useServerForm } from '../../../components/form/use-server-form.ts'
import { AddIcon, DeleteIcon } from '../../../components/icons/actions.tsx'
import { TableSkeleton } from '../../../components/table/table-skeleton.tsx'
import { roleName, rolesForPeople } from '../../../components/text/role-words.ts'
import type { Role } from '../../../generated/session.ts'
import { GroupRolesDocument, SetGroupRolesDocument } from '../../../generated/team.ts'
import { useOrganizationQuery, useOrganizationWrite } from '../../../session/queries.ts'

type GroupRole = { group: string; role: Role }

const maxGroupRoles = 100

/** Maps groups at the identity provider to roles here. */
export function GroupRoles() {
  const query = useOrganizationQuery(GroupRolesDocument, {})
  return (
    <Box maw={640}>
      <Text c="dimmed" mb="md">
        People in these groups are members from their next sign-in on, with the strongest role of their groups. Whoever
        loses the last group is disabled at the next sign-in. People who were invited keep their role.
      </Text>
      <Loaded query={query} skeleton={<TableSkeleton rows={4} />}>
        {({ groupRoles }) => <GroupRolesForm stored={groupRoles.map(({ group, role }) => ({ group, role }))} />}
      </Loaded>
    </Box>
  )
}

function GroupRolesForm({ stored }: { stored: GroupRole[] }) {
  const write = useOrganizationWrite()
  const state = useServerForm({
    initialValues: { groupRoles: stored },
    async submit({ groupRoles }) {
      await write(SetGroupRolesDocument, { input: { groupRoles } })
      toastDone('The roles of groups were saved.')
    },
  })
  const { form } = state
  const rows = form.values.groupRoles
  return (
    <ServerForm state={state} action="Save group roles" example={setGroupRolesExample(rows)}>
      {rows.length === 0 && <Text>No group has a role yet.</Text>}
      <Stack gap="xs" component="ul" p={0} m={0} aria-label="Groups" style={{ listStyle: 'none' }}>
        {rows.map((_row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity, and their inputs no state of their own.
          <Group key={index} component="li" wrap="nowrap" align="flex-end" gap="xs">
            <TextInput label={`Group ${index + 1}`} flex={1} {...form.getInputProps(`groupRoles.${index}.group`)} />
            <NativeSelect
              label={`Role of group ${index + 1}`}
              data={rolesForPeople.map((role) => ({ value: role, label: roleName(role) }))}
              {...form.getInputProps(`groupRoles.${index}.role`)}
            />
            <ActionIcon
              variant="default"
              size="input-sm"
              aria-label={`Remove group ${index + 1}`}
              onClick={() => form.removeListItem('groupRoles', index)}
            >
              <DeleteIcon size={16} />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
      {form.errors.groupRoles && <Input.Error>{form.errors.groupRoles}</Input.Error>}
      {rows.length < maxGroupRoles && (
        <Group>
          <Button
            variant="default"
            leftSection={<AddIcon size={16} />}
            onClick={() => form.insertListItem('groupRoles', { group: '', role: 'VIEWER' })}
          >
            Add group
          </Button>
        </Group>
      )}
    </ServerForm>
  )
}

function setGroupRolesExample(groupRoles: readonly GroupRole[]) {
  return writeExample({
    route: 'PUT /org/group-roles',
    mutation: 'setGroupRoles',
    input: { groupRoles },
    answer: 'group role',
  })
}
