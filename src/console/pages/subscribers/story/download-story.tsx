import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { toHeader, toLines } from '../../../components/export/export-file.ts'
import { exportFileName } from '../../../components/export/file-name.ts'
import { saveFile } from '../../../components/export/save-file.ts'
import { toastFailed } from '../../../components/feedback/toast.tsx'
import { subscriberColumns } from '../../../components/history/history-rows.ts'
import { readHistory } from '../../../components/history/read-history.ts'
import { SubscriberDocument } from '../../../generated/subscribers.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import { printStory } from './print-story.ts'
import type { StoryFacts } from './story.ts'
import { toStoryRows } from './story-rows.ts'

/** The whole story as a file, for a ticket or a spreadsheet: all changes since the subscriber was created. */
export function DownloadStory({ facts }: { facts: StoryFacts }) {
  const organizationId = useOrganizationId()
  const { subscriberId } = useSubscriberSearch()
  const name = useOrganizationQuery(SubscriberDocument, { subscriberId }).data?.subscriber.name ?? null
  const reading = useRef<AbortController>(null)
  useEffect(() => () => reading.current?.abort(), [])

  const { mutate, isPending, variables } = useMutation({
    async mutationFn(format: 'txt' | 'csv') {
      const controller = new AbortController()
      reading.current = controller
      const { signal } = controller
      const history = await readHistory(subscriberId, { organizationId, signal })
      if (signal.aborted) return
      const [subject, whole] = [
        { subscriberId, name },
        { ...facts, ...history, now: new Date() },
      ]
      const text =
        format === 'txt'
          ? printStory(subject, whole)
          : toHeader('csv', subscriberColumns) + toLines('csv', toStoryRows(subject, whole), subscriberColumns)
      const type = format === 'txt' ? 'text/plain;charset=utf-8' : 'text/csv'
      saveFile(`${exportFileName(['story', name, subscriberId], whole.now)}.${format}`, new Blob([text], { type }))
    },
    onError: toastFailed,
  })
  return (
    <Button.Group>
      {(['txt', 'csv'] as const).map((format) => (
        <Button
          key={format}
          variant="default"
          size="xs"
          loading={isPending && variables === format}
          onClick={() => mutate(format)}
        >
          {format === 'txt' ? 'Download as text' : 'Download as CSV'}
        </Button>
      ))}
    </Button.Group>
  )
}
