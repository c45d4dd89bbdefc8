import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { saveFile } from '../../../components/export/save-file.ts'
import { toastFailed } from '../../../components/feedback/toast.tsx'
import { EntitlementHistoryDocument } from '../../../generated/history.ts'
import { SubscriberDocument } from '../../../generated/subscribers.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { readPages } from '../../../session/read-pages.ts'
import type { Change } from '../history/changes.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import { printStory, storyFileName } from './print-story.ts'
import type { Facts } from './story.ts'

/** The whole story as a text file: all changes since the subscriber was created. */
export function DownloadStory({ facts }: { facts: Facts }) {
  const organizationId = useOrganizationId()
  const { subscriberId } = useSubscriberSearch()
  const name = useOrganizationQuery(SubscriberDocument, { subscriberId }).data?.subscriber.name ?? null
  const reading = useRef<AbortController>(null)
  useEffect(() => () => reading.current?.abort(), [])

  const { mutate, isPending } = useMutation({
    async mutationFn() {
      const controller = new AbortController()
      reading.current = controller
      const { signal } = controller
      const changes: Change[] = []
      const pages = readPages(
        {
          document: EntitlementHistoryDocument,
          variables: { subscriberId, first: 100 },
          find: ({ subscriber }) =>
            subscriber.history ?? { nodes: [], pageInfo: { endCursor: null, hasNextPage: false } },
        },
        { organizationId, signal },
      )
      for await (const nodes of pages) changes.push(...nodes)
      if (signal.aborted) return
      const whole = { ...facts, changes, hasMore: false, now: new Date() }
      saveFile(
        storyFileName({ subscriberId, name }, whole.now),
        new Blob([printStory({ subscriberId, name }, whole)], { type: 'text/plain;charset=utf-8' }),
      )
    },
    onError: toastFailed,
  })
  return (
    <Button variant="default" size="xs" loading={isPending} onClick={() => mutate()}>
      Download as text
    </Button>
  )
}
