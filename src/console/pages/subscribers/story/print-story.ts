import { type Change, describeCause } from '../../../components/history/changes.ts'
import type { Subject } from '../../../components/history/history-rows.ts'
import { describeValue } from '../../../components/text/describe-value.ts'
import { formatUtc } from '../../../components/text/format-time.ts'
import { compareJson, type JsonChange, toNestedSides } from '../../../components/text/json-changes.ts'
import { type Value, valueOfAnswer } from '../../../components/text/value.ts'
import { namesOf, type StoryFacts, type StoryLine, toStory } from './story.ts'

/** The story for a ticket or a file, with each change and with times in UTC. */
export function printStory({ subscriberId, name }: Subject, facts: StoryFacts): string {
  const { present, past } = toStory(facts)
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
    ...changes.flatMap((change) => printChange(change, nameOf)).map((text) => `    ${text}`),
  ]
}

/** The lines of one change; JSON is shown key by key, below its line. */
function printChange(change: Change, nameOf: (key: string) => string): string[] {
  const { feature } = change
  if (feature === null) return [describeCause({ change, before: null })]
  const [from = null, to = null] = [change.from, change.to].map((side) => side && valueOfAnswer(side.entitlement))
  const nested = toNestedSides(from, to)
  return [
    `${nameOf(feature)} (${feature}): ${printValue(from)} to ${printValue(to)}`,
    ...(nested ? compareJson(nested.from, nested.to).map((each) => `    ${printJson(each)}`) : []),
  ]
}

function printValue(value: Value | null): string {
  return value === null ? 'nothing' : describeValue(value)
}

function printJson({ path, ...sides }: JsonChange): string {
  const [from, to] = [sides.from, sides.to].map((side) => JSON.stringify(side))
  if (from === undefined) return `${path} added: ${to}`
  return to === undefined ? `${path} removed: ${from}` : `${path} from ${from} to ${to}`
}
