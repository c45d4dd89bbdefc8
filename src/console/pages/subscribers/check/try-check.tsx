import { Button, NativeSelect, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { toCurl } from '../../../components/api/api-examples.ts'
import { CodeBlock } from '../../../components/api/code-block.tsx'
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { useIsSlow } from '../../../components/feedback/use-is-slow.ts'
import { toChoice } from '../../../components/form/choices.ts'
import { CheckDocument, type CheckQuery } from '../../../generated/explanation.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import { checkFeature } from '../api-examples.ts'
import type { ExplainedFeature } from '../features/explained.ts'
import { useExplanation } from '../features/use-explanation.ts'

type Answer = NonNullable<CheckQuery['check']>
/** Makes the same check as the vendor's product. Only this check and the trial of a token count as evals in the console. */
export function TryCheck({ subscriberId }: { subscriberId: string }) {
  const query = useExplanation(subscriberId)
  return (
    <Loaded query={query} skeleton={<Skeleton height={240} role="status" aria-label="Loading" />}>
      {({ features }) => <Check subscriberId={subscriberId} features={features} />}
    </Loaded>
  )
}

function Check({ subscriberId, features }: { subscriberId: string; features: readonly ExplainedFeature[] }) {
  const write = useOrganizationWrite()
  const check = useMutation({ mutationFn: (key: string) => write(CheckDocument, { subscriberId, feature: key }) })
  const isSlow = useIsSlow(check.isPending)
  const [chosen, setChosen] = useState<string | null>(null)
  const feature = chosen ?? features[0]?.key
  if (feature === undefined) return <Text c="dimmed">There are no features in the catalog yet.</Text>
  return (
    <Stack>
      <Text c="dimmed">The answer your product gets. Each check counts as one of this month’s evals.</Text>
      <NativeSelect
        label="Feature"
        data-autofocus
        value={feature}
        onChange={(event) => {
          setChosen(event.currentTarget.value)
          check.reset()
        }}
        data={features.map(toChoice)}
      />
      <Button loading={isSlow} onClick={() => !check.isPending && check.mutate(feature)}>
        Check (1 eval)
      </Button>
      {check.error && <ErrorPanel error={check.error} />}
      <div aria-live="polite">
        {check.data && <CodeBlock title="Answer" code={JSON.stringify(toRest(check.data.check), null, 2)} />}
      </div>
      <CodeBlock title="curl" code={toCurl(window.location.origin, checkFeature(subscriberId, feature))} />
    </Stack>
  )
}

/** The answer in the format of the REST API, as `curl` shows it: the value is in the field of its kind. */
function toRest({ feature, kind, allowed, limit, value, source, expiresAt }: Answer): object {
  return {
    feature,
    kind: kind.toLowerCase(),
    allowed,
    ...(kind === 'LIMIT' && { limit }),
    ...(kind === 'CONFIG' && { value }),
    source: source.toLowerCase(),
    expires_at: expiresAt,
  }
}
