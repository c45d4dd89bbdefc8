import { useQuery } from '@tanstack/react-query'
import { execute } from '../api/execute.ts'
import { ServiceDocument } from '../generated/session.ts'

/** Whether anyone may sign up, or only people with an invite; undefined until that is known. Asked once. */
export function useSignUpOpen(): boolean | undefined {
  const { data } = useQuery({
    queryKey: ['service'],
    queryFn: () => execute(ServiceDocument, {}, { organizationId: null }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data && data.service.signUp === 'OPEN'
}
