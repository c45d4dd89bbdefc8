import { Button, Group, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { FormApiExample } from '../api/api-example-fold.tsx'
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
  /** The same request to the API. Forms that only a person can send have no example. */
  example?: ApiExample
  /** Makes the button as wide as the form. */
  fullWidth?: boolean
  /** Shows the button as secondary: only one form of a page has a primary button. */
  isSecondary?: boolean
}

/** A form with its fields, the error if the server refused it, and the submit button. */
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
  useRefusedField(state.refusal, element)

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
      {example && <FormApiExample example={example} />}
    </>
  )
}

/** Moves the focus to a drawer's first field, even if the form appears only after its data is loaded. */
function useFirstField(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const dialog = form.current?.closest('[role=dialog]')
    if (!dialog) return
    const first =
      dialog.querySelector<HTMLElement>('[data-autofocus]') ??
      form.current?.querySelector<HTMLElement>('input, select, textarea')
    // The drawer moves the focus after this effect, and then focuses the element with this attribute.
    first?.setAttribute('data-autofocus', '')
    const { activeElement } = document
    const isWaiting = activeElement === document.body || dialog.querySelector('header button') === activeElement
    if (isWaiting) first?.focus()
  }, [form])
}

/** Moves the focus to the first field that was refused, so that screen readers read its error; in a group, to its choice. */
function useRefusedField(refusal: Error | null, form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    if (refusal)
      form.current?.querySelector<HTMLElement>('[aria-invalid=true]:not(div), [aria-invalid=true] :checked')?.focus()
  }, [refusal, form])
}

/** Moves the focus to the submit button when the conflict is resolved and its buttons disappear. */
function useFocusAfter(isAsking: boolean, form: RefObject<HTMLFormElement | null>): void {
  const hasAsked = useRef(false)
  useEffect(() => {
    if (hasAsked.current && !isAsking && document.activeElement === document.body) {
      form.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
    }
    hasAsked.current = isAsking
  }, [isAsking, form])
}
