import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { toastFailed } from '../../../components/feedback/toast.tsx'
import { MoreIcon } from '../../../components/icons/actions.tsx'
import { formatDay } from '../../../components/text/format-time.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import type { ExplainedFeature, Override } from './explained.ts'
import { choiceOf, extendExpiry } from './override-input.ts'
import { useOverrideActions } from './use-override-actions.ts'

const extensionDays = 14

/** The actions of a row: opening the drawer with the override, and changes that take one click. */
export function RowActions({ feature }: { feature: ExplainedFeature }) {
  const { go } = useSubscriberSearch()
  const { key, name, override } = feature
  const open = () => go({ feature: key })
  if (!override) {
    return (
      <Button size="compact-sm" variant="default" onClick={open} aria-label={`Override ${name}`}>
        Override
      </Button>
    )
  }
  return <OverrideActions feature={feature} override={override} onEdit={open} />
}

type Props = { feature: ExplainedFeature; override: Override; onEdit(): void }

function OverrideActions({ feature: { key, name }, override, onEdit }: Props) {
  const { subscriberId } = useSubscriberSearch()
  const actions = useOverrideActions({ subscriberId, feature: key })
  const { expiresAt } = override

  // A toast shows a refusal, because there is no form that could show it.
  const { mutate: run, isPending } = useMutation({
    mutationFn: (write: () => Promise<unknown>) => write(),
    onError: toastFailed,
  })

  function moveEnd(to: string | null, message: string): void {
    const decision = { ...choiceOf(override), expiresAt: to }
    run(() => actions.put({ decision, before: override, expectedUpdatedAt: override.updatedAt, message }))
  }

  function extendFrom(from: string): void {
    const later = extendExpiry(from, extensionDays, new Date())
    const message = `The override of ${name} now expires on ${formatDay(new Date(later), new Date())}.`
    moveEnd(later, message)
  }

  function makePermanent(): void {
    moveEnd(null, `The override of ${name} no longer expires.`)
  }

  return (
    <Group gap={4} wrap="nowrap">
      {expiresAt && (
        <Button
          size="compact-sm"
          variant="default"
          disabled={isPending}
          aria-label={`Extend ${name} by ${extensionDays} days`}
          onClick={() => extendFrom(expiresAt)}
        >
          +{extensionDays} days
        </Button>
      )}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size="md" aria-label={`More for ${name}`} disabled={isPending}>
            <MoreIcon size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={onEdit}>Edit</Menu.Item>
          {expiresAt && <Menu.Item onClick={makePermanent}>Make permanent</Menu.Item>}
          <Menu.Item onClick={() => run(() => actions.remove(override, `The override of ${name} was removed.`))}>
            Remove
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
