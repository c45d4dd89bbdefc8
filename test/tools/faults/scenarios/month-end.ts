import { setTimeout as wait } from 'node:timers/promises'
import { endOfMonth } from '../../../support/fake-clock.ts'
import { Tenants } from '../../../support/tenants.ts'
import type { Scenario, ScenarioContext } from '../scenario.ts'

const beforeMs = 6_000
const afterMs = 3_000
const dayMs = 86_400_000

type Month = { month: string; used: number; days: { date: string; used: number }[] }

/** Left out where libfaketime is not installed. */
export const monthEnd: Scenario = {
  name: 'the end of a month',
  variant: 'own clock',
  inCi: false,
  // After a second month, the events of the first month would be deleted.
  longRounds: 1,
  inflict: passMonthsEnd,
}

/**
 * Checks a feature before and after the end of the month, at which the override ends. Each granted check must count once, on
 * the day and in the month of the clock.
 */
async function passMonthsEnd({ stage, finding }: ScenarioContext): Promise<void> {
  const { clock } = stage
  if (clock === null) throw new Error('The stage has the real clock.')
  const end = endOfMonth(clock.now)
  clock.set(new Date(end.getTime() - beforeMs))
  const ask = await createSubscriber(stage.databaseUrl, stage.apis[0]?.url ?? '', end)

  const granted = { before: 0, between: 0, after: 0 }
  while (clock.now.getTime() < end.getTime() + afterMs) {
    const sentAt = clock.now
    const { limit } = (await ask('POST', '/org/subscribers/ann/entitlements/check', { feature: 'seats' })) as Check
    const part = clock.now < end ? 'before' : sentAt >= end ? 'after' : 'between'
    granted[part]++
    if (part === 'before' && limit !== 5) finding(`before the end of the month the override is not in force: ${limit}`)
    if (part === 'after' && limit === 5) finding('after the end of the month the override is still in force')
    await wait(20)
  }

  const usageOf = (moment: Date) =>
    ask('GET', `/org/eval-usage?month=${moment.toISOString().slice(0, 7)}`) as Promise<Month>
  const last = new Date(end.getTime() - dayMs)
  for (const [month, day, least] of [
    [await usageOf(last), last, granted.before],
    [await usageOf(end), end, granted.after],
  ] as const) {
    const most = least + granted.between
    if (least === 0) finding(`no check was granted in ${month.month}`)
    if (month.used < least || month.used > most)
      finding(`${month.month} has ${month.used} evals, not ${least} to ${most}`)
    const date = day.toISOString().slice(0, 10)
    const onDay = month.days.find((each) => each.date === date)?.used
    if (onDay !== month.used) finding(`${date} has ${onDay} evals of the ${month.used} in ${month.month}`)
  }
}

type Check = { limit: number | null }

/** An organization with a subscriber whose override of a limit ends at this moment. */
async function createSubscriber(databaseUrl: string, url: string, end: Date) {
  const tenants = new Tenants(databaseUrl)
  const { headers } = await tenants.create().finally(() => tenants.close())
  async function ask(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  await ask('POST', '/org/features', { key: 'seats', name: 'Seats', kind: 'limit' })
  await ask('POST', '/org/subscribers', { subscriber_id: 'ann' })
  await ask('PUT', '/org/subscribers/ann/overrides/seats', { kind: 'limit', limit: 5, expires_at: end.toISOString() })
  return ask
}
