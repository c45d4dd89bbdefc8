import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { ErrorPanel } from '../components/feedback/error-panel.tsx'
import { PlainFrame } from './plain-frame.tsx'

/** In place of a page that cannot be shown at all, as when the server is away. */
export function RouteError({ error }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <PlainFrame title="This page cannot be shown">
      <ErrorPanel error={error as Error} retry={() => void router.invalidate()} />
      <p>
        <Link to="/organizations">Choose an organization</Link>
      </p>
    </PlainFrame>
  )
}
