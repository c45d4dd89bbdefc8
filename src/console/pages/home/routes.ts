import { createRoute, redirect } from '@tanstack/react-router'
import { rootRoute } from '../../frame/root-route.tsx'
import { findPerson } from '../../session/guards.ts'

/** `/` redirects: to sign in, to the only organization, or to the choice. */
const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async () => {
    const person = await findPerson()
    if (person === null) throw redirect({ to: '/sign-in' })
    const [first, ...others] = person.organizations
    if (first && others.length === 0) {
      throw redirect({ to: '/o/$organizationId', params: { organizationId: first.organizationId } })
    }
    throw redirect({ to: '/organizations' })
  },
})

export const homeRoutes = [homeRoute] as const
