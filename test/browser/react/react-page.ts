import { createElement, type ReactNode, StrictMode, useState } from 'react'
import {
  Entitled,
  EntitlementsProvider,
  type EntitlementsProviderProps,
  useEntitlement,
  useSnapshot,
} from '../../../src/client/frameworks/react.ts'
import type { Snapshot } from '../../../src/client/index.ts'

/** The data that the vendor's server passes to its page. */
export type PageConfig = Pick<EntitlementsProviderProps, 'baseUrl' | 'subscriber' | 'snapshot' | 'options'> & {
  /** The snapshot that the button `#load` passes to the provider. */
  nextSnapshot?: Snapshot
  /** Whether `/token` of the vendor's server returns tokens. */
  hasTokens?: boolean
}

/** How often each component has rendered. */
export const renders: Record<string, number> = {}

function FeatureLine({ feature }: { feature: string }): ReactNode {
  renders[feature] = (renders[feature] ?? 0) + 1
  const { allowed, limit, value, isLoading, problem } = useEntitlement(feature)
  const words = [isLoading ? 'loading' : allowed ? 'yes' : 'no', limit && `limit ${limit}`, value, problem]
  return createElement('p', { id: feature }, words.filter((word) => word !== null && word !== 0).join(', '))
}

function Plan(): ReactNode {
  return createElement('p', { id: 'plan' }, useSnapshot()?.plan ?? 'none')
}

/**
 * A page of a vendor's product. The button `#switch` shows another subscriber, `#load` has a newer snapshot, and `#leave`
 * unmounts the provider.
 */
export function Page({ config }: { config: PageConfig }): ReactNode {
  const [subscriber, setSubscriber] = useState(config.subscriber)
  const [isLeft, leave] = useState(false)
  const { hasTokens, nextSnapshot, ...given } = config
  const [snapshot, setSnapshot] = useState(config.snapshot)
  // Like most pages, this one passes a new function in each render.
  const token = async (of: string) => (await fetch(`/token?subscriber=${of}`)).text()
  return createElement(
    StrictMode,
    null,
    createElement('button', { type: 'button', id: 'switch', onClick: () => setSubscriber('bare') }, 'Switch'),
    createElement('button', { type: 'button', id: 'load', onClick: () => setSnapshot(nextSnapshot) }, 'Load'),
    createElement('button', { type: 'button', id: 'leave', onClick: () => leave(true) }, 'Leave'),
    isLeft
      ? createElement('p', { id: 'left' }, 'Left')
      : createElement(
          EntitlementsProvider,
          { ...given, snapshot, subscriber, ...(hasTokens && { token }) },
          ...['sso', 'seats', 'color', 'nope'].map((feature) => createElement(FeatureLine, { key: feature, feature })),
          createElement(Plan, { key: 'plan' }),
          createElement(
            Entitled,
            { key: 'entitled', feature: 'sso', fallback: createElement('p', { id: 'buy' }, 'Buy') },
            createElement('p', { id: 'use' }, 'Use'),
          ),
        ),
  )
}
