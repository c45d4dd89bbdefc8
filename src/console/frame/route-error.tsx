import { type ErrorComponentProps, Link, useParams, useRouter } from '@tanstack/react-router'
import { createContext, use, useEffect } from 'react'
import { ErrorPanel } from '../components/feedback/error-panel.tsx'
import { PageHeader } from '../components/page/page-header.tsx'
import { useLostMembership } from '../session/lost-membership.ts'
import { OutdatedError, retryFailedComponents } from './lazy-component.ts'
import { NotAMember } from './not-a-member.tsx'
import { PlainFrame } from './plain-frame.tsx'

/** Whether the rail and the search surround the error. */
export const WithinFrame = createContext(false)

const title = 'This page cannot be shown'

/** Replaces a page that cannot be shown at all, for example because the server is down. The frame around it stays. */
export function RouteError({ error }: ErrorComponentProps) {
  const router = useRouter()
  const isOutdated = error instanceof OutdatedError
  const hasLostMembership = useLostMembership(useParams({ strict: false }).organizationId)
  useReloadOnce(isOutdated)
  function retry(): void {
    if (isOutdated) {
      window.location.reload()
      return
    }
    retryFailedComponents()
    void router.invalidate()
  }
  const panel = <ErrorPanel error={error as Error} retry={retry} />
  if (hasLostMembership) return <NotAMember />
  if (use(WithinFrame)) {
    return (
      <>
        <PageHeader title={title} />
        {panel}
      </>
    )
  }
  return (
    <PlainFrame title={title}>
      {panel}
      <p>
        <Link to="/organizations">Choose an organization</Link>
      </p>
    </PlainFrame>
  )
}

/** Reloads the page to get the newer console, but only once a minute: if that did not help, the person decides. */
function useReloadOnce(isOutdated: boolean): void {
  useEffect(() => {
    if (!isOutdated || Date.now() - Number(sessionStorage.getItem(reloadedAtKey) ?? 0) < 60_000) return
    sessionStorage.setItem(reloadedAtKey, String(Date.now()))
    window.location.reload()
  }, [isOutdated])
}

const reloadedAtKey = 'reloaded-for-newer-console'
