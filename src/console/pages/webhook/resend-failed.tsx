import { Button, Group, Modal, NativeSelect, Progress, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { serverNow } from '../../api/server-clock.ts'
import { ErrorPanel } from '../../components/feedback/error-panel.tsx'
import { toastDone } from '../../components/feedback/toast.tsx'
import { formatNumber } from '../../components/text/number.ts'
import { ResendEventsDocument } from '../../generated/webhook.ts'
import { useOrganizationWrite } from '../../session/queries.ts'

const hourMs = 3_600_000
const periods = [
  { value: '', label: 'at any time' },
  { value: String(hourMs), label: 'in the last hour' },
  { value: String(24 * hourMs), label: 'in the last 24 hours' },
  { value: String(7 * 24 * hourMs), label: 'in the last 7 days' },
]

type Props = { failed: number; isPaused: boolean }

/** Sends the failed events of a period again, one request after the other, until as many are queued as had failed at the start. */
export function ResendFailed({ failed, isPaused }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [period, setPeriod] = useState('')
  const { resent, total, resendAll, cancel } = useResending(failed)

  const { mutate, isPending, error, reset } = useMutation({
    async mutationFn() {
      toastDone(describeResent(await resendAll(period), isPaused))
      setOpen(false)
    },
  })

  function open(): void {
    reset()
    setOpen(true)
  }

  function close(): void {
    cancel()
    if (!isPending) setOpen(false)
  }

  if (failed === 0 && !isOpen) return null
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        Resend all failed
      </Button>
      <Modal opened={isOpen} onClose={close} title="Resend failed events">
        <Stack>
          <Text>
            {formatNumber(failed)} {failed === 1 ? 'event has' : 'events have'} failed. Each is sent once more, in
            order, with its own id; tests are left out.
          </Text>
          <NativeSelect
            label="That happened"
            data={periods}
            value={period}
            disabled={isPending}
            onChange={({ currentTarget: { value } }) => setPeriod(value)}
            data-autofocus
          />
          {isPending && (
            <div role="status">
              <Progress value={(100 * resent) / total} aria-label="Events queued again" />
              <Text>
                {formatNumber(resent)} of {formatNumber(total)} queued again
              </Text>
            </div>
          )}
          {error && <ErrorPanel error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {isPending ? 'Stop' : 'Cancel'}
            </Button>
            <Button loading={isPending} onClick={() => mutate()}>
              Resend
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}

/** Sends one request after the other, each of which queues up to 10,000 failed events again. */
function useResending(failed: number) {
  const write = useOrganizationWrite()
  const [resent, setResent] = useState(0)
  const [total, setTotal] = useState(failed)
  const isCanceled = useRef(false)

  async function resendAll(period: string): Promise<number> {
    setResent(0)
    setTotal(failed)
    const occurredAfter = new Date(serverNow().getTime() - Number(period)).toISOString()
    const input = { state: 'FAILED' as const, ...(period !== '' && { occurredAfter }) }
    isCanceled.current = false
    let done = 0
    // An event that fails again meanwhile would match again, so stop at the number that had failed at the start.
    for (let hasMore = true; hasMore && done < failed && !isCanceled.current; ) {
      const { resendEvents } = await write(ResendEventsDocument, { input })
      done += resendEvents.resent
      hasMore = resendEvents.hasMore
      setResent(done)
    }
    return done
  }

  return {
    resent,
    /** The number of failed events at the start; the current count shrinks meanwhile. */
    total,
    resendAll,
    cancel() {
      isCanceled.current = true
    },
  }
}

function describeResent(resent: number, isPaused: boolean): string {
  if (resent === 0) return 'No failed event matches.'
  const events = `${formatNumber(resent)} failed ${resent === 1 ? 'event is' : 'events are'}`
  return isPaused ? `${events} queued and will be sent when deliveries resume.` : `${events} sent once more.`
}
