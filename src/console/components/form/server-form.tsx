import { Button, Group, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { FormApi } from '../api/api-example-fold.tsx'
import type { ApiExample } from '../api/api-examples.ts'
import { ErrorPanel } from '../feedback/error-panel.tsx'
import { useIsSlow } from '../feedback/use-is-slow.ts'
import { ConflictPanel } from './conflict-panel.tsx'
import { RestoredNotice } from './restored-notice.tsx'
import type { ServerForm as State } from './use-server-form.ts'

type Props<Values extends object> = {
  state: State<Values>
  /** The button's label: the verb and its object. */
  action: string
  children: ReactNode
  onCancel?: () => void
  /** The same request by API; personal forms omit it. */
  example?: ApiExample
  /** Makes the button as wide as the form. */
  fullWidth?: boolean
  /** A page has one primary button: the buttons of its other forms do not stand out. */
  isSecondary?: boolean
}

/** The fields, the refusal, and the button that sends. */
export function ServerForm<Values extends object>({
  state,
  action,
  children,
  onCancel,
  example,
  fullWidth,
  isSecondary = false,
}: Props<Values>) {
  const isSlow = useIsSlow(state.isRunning)
  const element = useRef<HTMLFormElement>(null)
  const isAsking = Boolean(state.conflict?.clashes.length)
  useFocusAfter(isAsking, element)
  useFirstField(element)

  function submit(event: FormEvent): void {
    state.onSubmit(event)
    // The person has to decide about the conflict first.
    if (isAsking) element.current?.querySelector<HTMLElement>('[data-conflict] button')?.focus()
  }

  function startOver(): void {
    state.discard()
    element.current?.querySelector<HTMLElement>(':is(input, textarea, select):enabled')?.focus()
  }

  return (
    <>
      <form ref={element} onSubmit={submit} noValidate>
        <Stack gap="md">
          {state.isRestored && <RestoredNotice onDiscard={startOver} />}
          {children}
          {state.conflict && <ConflictPanel conflict={state.conflict} />}
          {state.error && <ErrorPanel error={state.error} />}
          <Group justify="flex-end" mt={4}>
            {onCancel && (
              <Button
                variant="default"
                onClick={() => {
                  state.discard()
                  onCancel()
                }}
              >
                Cancel
              </Button>
            )}
            <Button
              type="submit"
              variant={isSecondary ? 'default' : 'filled'}
              aria-keyshortcuts="Control+Enter"
              loading={isSlow}
              fullWidth={fullWidth}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
      {example && <FormApi example={example} />}
    </>
  )
}

/** Gives a drawer's first field the focus, even if the form appears later, with its data. */
function useFirstField(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const dialog = form.current?.closest('[role=dialog]')
    if (!dialog) return
    const first =
      dialog.querySelector<HTMLElement>('[data-autofocus]') ??
      form.current?.querySelector<HTMLElement>('input, select, textarea')
    // For the drawer, which moves the focus into itself after this.
    first?.setAttribute('data-autofocus', '')
    const { activeElement } = document
    const isWaiting = activeElement === document.body || dialog.querySelector('header button') === activeElement
    if (isWaiting) first?.focus()
  }, [form])
}

/** Moves the focus to the submit button when the conflict is solved and its buttons disappear. */
function useFocusAfter(isAsking: boolean, form: RefObject<HTMLFormElement | null>): void {
  const hasAsked = useRef(false)
  useEffect(() => {
    if (hasAsked.current && !isAsking && document.activeElement === document.body) {
      form.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
    }
    hasAsked.current = isAsking
  }, [isAsking, form])
}
