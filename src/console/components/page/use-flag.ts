import { useNavigate, useSearch } from '@tanstack/react-router'

/** Whether something on a page is open: a search parameter that is present or absent, such as `?edit=1`. */
type Flag = 'api' | 'create' | 'edit' | 'invite' | 'key' | 'months' | 'pause'

export function useFlag(name: Flag) {
  const search: { [Name in Flag]?: true } = useSearch({ strict: false })
  const navigate = useNavigate()
  const set = (isOn: boolean) =>
    void navigate({ to: '.', search: (old: object) => ({ ...old, [name]: isOn || undefined }) })
  return { isOn: search[name] === true, set, open: () => set(true), close: () => set(false) }
}
