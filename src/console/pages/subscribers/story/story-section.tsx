import { Button } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useState } from 'react'
import { WarningIcon } from '../../../components/icons/actions.tsx'
import { Section } from '../../../components/page/section.tsx'
import { usePrinting } from '../../../components/table/use-printing.ts'
import { Moment } from '../../../components/text/moment.tsx'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { ChangeLines } from '../history/lazy-history.tsx'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import { DownloadStory } from './download-story.tsx'
import { type StoryFacts, type StoryLine, type SuggestedFix, toStory } from './story.ts'
import classes from './story-section.module.css'

/** At first, at most this many lines of past changes are shown. */
const shownAtFirst = 3

/** Shown above the features: the current state and past changes, newest first, each with its remedy. */
export function StorySection({ facts }: { facts: StoryFacts }) {
  const { present, past } = toStory(facts)
  const [isWhole, setWhole] = useState(false)
  const isPrinting = usePrinting()
  const shown = isWhole || isPrinting ? past : past.slice(0, shownAtFirst)
  const hidden = past.length - shown.length
  return (
    <div className={classes.story}>
      <Section title="What happened" actions={<DownloadStory facts={facts} />}>
        <ol className={classes.lines} aria-label="What happened">
          {[...present, ...shown].map((line) => (
            <Line key={line.id} line={line} isPrinting={isPrinting} />
          ))}
        </ol>
        {hidden > 0 && (
          <Button variant="subtle" size="compact-sm" mt={4} onClick={() => setWhole(true)}>
            Show {facts.hasMore ? 'older ones' : `${hidden} older`}
          </Button>
        )}
      </Section>
    </div>
  )
}

function Line({ line, isPrinting }: { line: StoryLine; isPrinting: boolean }) {
  const { text, at, note, remedy, isWarning, changes } = line
  const [isOpen, setOpen] = useState(false)
  return (
    <li className={classes.line}>
      <div className={classes.what}>
        <span className={isWarning ? classes.warning : undefined}>
          {isWarning && <WarningIcon size={16} />}
          {text}
        </span>
        {note && <span className={classes.note}>“{note}”</span>}
        {changes.length > 0 && (
          <Button variant="subtle" size="compact-xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide' : 'Show'} the {changes.length === 1 ? 'change' : `${changes.length} changes`}
          </Button>
        )}
      </div>
      <div className={classes.remedy}>{remedy && <RemedyLink remedy={remedy} />}</div>
      <div className={classes.when}>{at && <Moment at={at} />}</div>
      {(isOpen || (isPrinting && changes.length > 0)) && (
        <div className={classes.changes}>
          <ChangeLines changes={changes} label={text} mayRevert />
        </div>
      )}
    </li>
  )
}

function RemedyLink({ remedy: { text, to } }: { remedy: SuggestedFix }) {
  const organizationId = useOrganizationId()
  const { subscriberId } = useSubscriberSearch()
  if (to === null) return text
  const targets = {
    subscriber: ['subscribers/$subscriberId', { subscriberId }],
    webhook: ['webhook', {}],
    plan: ['plans/$planKey', { planKey: to.page === 'plan' ? to.planKey : '' }],
  } as const
  const [path, params] = targets[to.page]
  const target = {
    to: `/o/$organizationId/${path}`,
    params: { organizationId, ...params },
    search: 'search' in to ? to.search : {},
    resetScroll: to.page !== 'subscriber',
  }
  return <Link {...(target as LinkProps)}>{text}</Link>
}
