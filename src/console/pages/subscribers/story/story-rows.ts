import type { ExportRow } from '../../../components/export/export-file.ts'
import { type Subject, toHistoryRows } from '../../../components/history/history-rows.ts'
import { namesOf, type StoryFacts, toStory } from './story.ts'

/** The story for a spreadsheet: the present state, and each change with the remedy for what it took away. */
export function toStoryRows(subject: Subject, facts: StoryFacts): ExportRow[] {
  const { present, past } = toStory(facts)
  const remedies = new Map(past.map(({ id, remedy }) => [id, remedy?.text]))
  const { subscriberId: subscriber_id, name: subscriber_name } = subject
  return [
    ...present.map(({ at, text, remedy }) => ({
      ...{ at, kind: 'now', what: text, remedy: remedy?.text },
      ...{ subscriber_id, subscriber_name },
    })),
    ...toHistoryRows(subject, { ...facts, names: namesOf(facts) }).map((row) => ({
      ...row,
      remedy: remedies.get(String(row.change_id)),
    })),
  ]
}
