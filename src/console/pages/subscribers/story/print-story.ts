import { type Change, describeCause } from '../../../components/history/changes.ts'
import type { Subject } from '../../../components/history/history-rows.ts'
import { describeValue } from '../../../components/text/describe-value.ts'
import { formatUtc } from '../../../components/text/format-time.ts'
import { answeredValue } from '../../../components/text/value.ts'
import { type Facts, namesOf, type StoryLine, tellStory } from './story.ts'

/** The story for a ticket or a file, with each change and with times in UTC. */
export function printStory({ subscriberId, name }: Subject, facts: Facts): string {
  const { present, past } = tellStory(facts)
  const names = namesOf(facts)
  const plan = facts.plan === null ? 'no plan' : `plan ${names.plan(facts.plan)}`
  return [
    `What happened to ${name === null ? subscriberId : `${name} (${subscriberId})`}`,
    `Written on ${formatUtc(facts.now)}. The subscriber has ${plan}.`,
    '',
    ...present.flatMap((line) => printLine(line, names.feature)),
    '',
    ...past.flatMap((line) => printLine(line, names.feature)),
    '',
  ].join('\n')
}

function printLine({ text, at, note, remedy, changes }: StoryLine, nameOf: (key: string) => string): string[] {
  return [
    at === null ? text : `${formatUtc(new Date(at))}  ${text}`,
    ...(note === null ? [] : [`    Note: “${note}”`]),
    ...(remedy === null ? [] : [`    Remedy: ${remedy.text}`]),
    ...changes.map((change) => `    ${printChange(change, nameOf)}`),
  ]
}

function printChange(change: Change, nameOf: (key: string) => string): string {
  const { feature, from, to } = change
  if (feature === null) return describeCause({ change, before: null })
  return `${nameOf(feature)} (${feature}): ${printSide(from)} to ${printSide(to)}`
}

function printSide(side: Change['from']): string {
  const value = side && answeredValue(side.entitlement)
  return value === null ? 'nothing' : describeValue(value)
}
