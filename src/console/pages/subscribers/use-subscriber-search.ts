import { getRouteApi } from '@tanstack/react-router'

const route = getRouteApi('/o/$organizationId/subscribers/$subscriberId')

type Search = ReturnType<typeof route.useSearch>
type Patch = { [Name in keyof Search]?: Search[Name] | undefined }

/** The page's address: the tab, the filters, and which drawer is open. */
export function useSubscriberSearch() {
  const search = route.useSearch()
  const { subscriberId } = route.useParams()
  const navigate = route.useNavigate()
  return {
    subscriberId,
    search,
    /** Adds a history entry: "back" closes the drawer. The page keeps its scroll position. */
    go: (patch: Patch) => void navigate({ search: (old) => ({ ...old, ...patch }), resetScroll: false }),
    /** Replaces the history entry, so that "back" leaves the page instead of undoing the last letter. */
    filter: (patch: Patch) =>
      void navigate({ search: (old) => ({ ...old, ...patch }), replace: true, resetScroll: false }),
  }
}
