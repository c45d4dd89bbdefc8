import { Text, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { KeyboardEvent } from 'react'
import { KeyText } from '../../components/text/key-text.tsx'
import { formatNumber, formatRounded, formatShare } from '../../components/text/number.ts'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { useOrganizationId } from '../../session/organization-id.ts'
import classes from './feature-bars.module.css'
import linked from './linked-row.module.css'

/** The name is null if the feature was deleted after the checks: then the feature has no page. */
export type RequestedFeature = { feature: string; name: string | null; granted: number; denied: number }

type Props = { features: readonly RequestedFeature[]; shows: 'all' | 'denied' }

/** A bar for each feature, sized by what `shows` counts. A row links to its feature; arrow keys move between rows. */
export function FeatureBars({ features, shows }: Props) {
  const organizationId = useOrganizationId()
  const sizeOf = ({ granted, denied }: RequestedFeature) => (shows === 'denied' ? denied : granted + denied)
  const longest = Math.max(1, ...features.map(sizeOf))
  const width = (value: number) => `${(value / longest) * 100}%`
  return (
    <ol className={classes.list} onKeyDown={moveBetweenLinks}>
      {features.map((feature) => {
        const { feature: key, name, granted, denied } = feature
        const all = granted + denied
        return (
          <li key={key} className={`${linked.row} ${classes.row}`}>
            <span className={classes.name}>
              {name === null ? (
                <>
                  <KeyText value={key} max={24} />{' '}
                  <Text span c="dimmed">
                    deleted
                  </Text>
                </>
              ) : (
                <Tooltip label={describe(feature)} events={{ hover: true, focus: true, touch: true }}>
                  <Link
                    to="/o/$organizationId/features/$featureKey"
                    params={{ organizationId, featureKey: key }}
                    className={linked.link}
                    preload={false}
                  >
                    {shortenMiddle(name, 40)}
                  </Link>
                </Tooltip>
              )}
            </span>
            <span className={classes.track} aria-hidden="true">
              {shows === 'all' && <span className={classes.granted} style={{ width: width(granted) }} data-drawn />}
              {denied > 0 && <span className={classes.denied} style={{ width: width(denied) }} />}
            </span>
            <span className={classes.words}>
              {shows === 'all'
                ? `${formatRounded(all)} times, ${formatShare(denied, all)} denied`
                : `${formatRounded(denied)} times, ${formatShare(denied, all)} of all`}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

function describe({ granted, denied }: RequestedFeature): string {
  return `About ${formatNumber(granted)} granted, ${formatNumber(denied)} denied`
}

function moveBetweenLinks(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement as HTMLAnchorElement)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key]
  if (next === undefined) return
  event.preventDefault()
  links[next]?.focus()
}
