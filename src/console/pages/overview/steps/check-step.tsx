import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { toCurl } from '../../../components/api/api-examples.ts'
import { CodeBlock } from '../../../components/api/code-block.tsx'
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx'
import { useIsSlow } from '../../../components/feedback/use-is-slow.ts'
import { CheckDocument } from '../../../generated/explanation.ts'
import { FirstAnswersDocument } from '../../../generated/overview.ts'
import { useOrganizationQuery, useOrganizationWrite } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'
import { checkExample } from '../api-examples.ts'
import { type FirstStepsAnswer, findPossibleCheck } from '../first-steps.ts'

/** The first check: a command to copy, and a button that makes the same check. The check answers true. */
export function CheckStep({ first }: { first: FirstStepsAnswer }) {
  const check = findPossibleCheck(first)
  if (!check) return <Text c="dimmed">Until the steps above are done, each check answers false.</Text>
  return <Check key={check.subscriberId} {...check} />
}

function Check({ subscriberId, feature: granted }: NonNullable<ReturnType<typeof findPossibleCheck>>) {
  const feature = useAllowedFeature(subscriberId, granted)
  const write = useOrganizationWrite()
  const check = useMutation({ mutationFn: () => write(CheckDocument, { subscriberId, feature }) })
  const isSlow = useIsSlow(check.isPending)
  const answer = check.data?.check
  return (
    <Stack gap="sm">
      <CodeBlock title="curl" code={toCurl(window.location.origin, checkExample(subscriberId, feature))} />
      <Text c="dimmed">Set ENTITLEMENTS_API_KEY to your key first. Each check counts as one eval.</Text>
      <Button
        variant="default"
        loading={isSlow}
        onClick={() => !check.isPending && check.mutate()}
        style={{ alignSelf: 'flex-start' }}
      >
        Run this check
      </Button>
      {check.error && <ErrorPanel error={check.error} />}
      <div aria-live="polite">
        {answer && (
          <Text>
            The answer: <code>{subscriberId}</code> {answer.allowed ? 'may use' : 'may not use'} <code>{feature}</code>{' '}
            (<code>{`"allowed": ${answer.allowed}`}</code>).
          </Text>
        )}
      </div>
    </Stack>
  )
}

/** The feature that the plan grants; if an override removes it, another feature that the subscriber may use. */
function useAllowedFeature(subscriberId: string, granted: string): string {
  const enabled = useMay('overrides:read')
  const { data } = useOrganizationQuery(FirstAnswersDocument, { subscriberId }, { enabled })
  const allowed = data?.explanation.items.filter(({ entitlement }) => entitlement?.allowed) ?? []
  return allowed.some(({ feature }) => feature === granted) ? granted : (allowed[0]?.feature ?? granted)
}
