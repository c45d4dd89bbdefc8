import { useNavigate, useSearch } from '@tanstack/react-router'

/** A search parameter that is present while a drawer or a part of the page is open, such as `?edit=1`. */
type Flag = 'api' | 'create' | 'edit' | 'invite' | 'key' | 'months' | 'pause'

export function useFlag(name: Flag) {
  const search: { [Name in Flag]?: true } = useSearch({ strict: false })
  const navigate = useNavigate()
  const set = (isOn: boolean) =>
    void navigate({ to: '.', search: (old: object) => ({ ...old, [name]: isOn || undefined }) })
  return { isOn: search[name] === true, set, open: () => set(true), close: () => set(false) }
}
