import { createRoute, redirect } from '@tanstack/react-router'
import { rootRoute } from '../../frame/root-route.tsx'
import { findPerson } from '../../session/guards.ts'

/** Redirects `/` to the sign-in page, to the person's only organization, or to the list of their organizations. */
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
