import { useQuery } from '@tanstack/react-query'
import { execute } from '../api/execute.ts'
import type { Answer } from '../api/typed-document.ts'
import { ServiceDocument, type ServiceQuery } from '../generated/session.ts'

/** Who may sign up, and how people sign in; undefined until that is known. Read only once. */
export function useService(): Answer<ServiceQuery>['service'] | undefined {
  const { data } = useQuery({
    queryKey: ['service'],
    queryFn: () => execute(ServiceDocument, {}, { organizationId: null }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data?.service
}
