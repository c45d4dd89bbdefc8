import { useNavigate } from '@tanstack/react-router'
import { isServerError } from '../api/errors.ts'
import { execute } from '../api/execute.ts'
import { queryClient } from '../api/query-client.ts'
import { hideToasts, toastFailed } from '../components/feedback/toast.tsx'
import { SignOutDocument } from '../generated/session.ts'
import { keepOnlySecretsOf } from '../session/new-secret.ts'

/** Signs this browser out and clears all cached data. Then opens the sign-in page, unless `stays` keeps the current page. */
export function useSignOut({ stays = false } = {}): () => Promise<void> {
  const navigate = useNavigate()
  return async function signOut() {
    try {
      await execute(SignOutDocument, {}, { organizationId: null })
    } catch (error) {
      // UNAUTHORIZED means that the person is signed out already.
      if (!isServerError(error, 'UNAUTHORIZED')) return toastFailed(error as Error)
    }
    queryClient.clear()
    sessionStorage.clear()
    // Undo would write as the next person who signs in.
    hideToasts()
    keepOnlySecretsOf(null)
    if (!stays) await navigate({ to: '/sign-in' })
  }
}
