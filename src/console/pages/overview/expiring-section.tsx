import { Skeleton, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Section } from '../../components/page/section.tsx'
import { PagedList } from '../../components/table/paged-list.tsx'
import { EntitlementValue } from '../../components/text/entitlement-value.tsx'
import { KeyText } from '../../components/text/key-text.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { useNow } from '../../components/text/use-now.ts'
import { overrideValue } from '../../components/text/value.ts'
import { ExpiringOverridesDocument, type ExpiringOverridesQuery } from '../../generated/overview.ts'
import { useOrganizationId } from '../../session/organization-id.ts'
import { useOrganizationPages } from '../../session/queries.ts'
import classes from './expiring-list.module.css'
import linked from './linked-row.module.css'
import { expiringVariables } from './variables.ts'

/** Overrides that end within a week, which subscribers are about to lose. */
export function ExpiringSection() {
  const variables = expiringVariables(useNow())
  const pages = useOrganizationPages(ExpiringOverridesDocument, variables, ({ overrides }) => overrides)
  const none = <Text c="dimmed">No override expires in the next 7 days.</Text>
  return (
    <Section title="Overrides that expire in the next 7 days">
      <PagedList pages={pages} skeleton={<Skeleton height={110} />} none={none} keepsRows>
        {(overrides) => <ExpiringList overrides={overrides} />}
      </PagedList>
    </Section>
  )
}

type Override = NonNullable<ExpiringOverridesQuery['overrides']>['nodes'][number]

/** One line for each override; the whole line links to the subscriber. */
function ExpiringList({ overrides }: { overrides: readonly Override[] }) {
  const organizationId = useOrganizationId()
  return (
    <ol className={classes.list}>
      {overrides.map((override) => {
        const { id, subscriberId, subscriber, feature, note, setBy, expiresAt } = override
        return (
          <li key={id} className={`${linked.row} ${classes.row}`}>
            <div className={classes.words}>
              <Link
                to="/o/$organizationId/subscribers/$subscriberId"
                params={{ organizationId, subscriberId }}
                className={linked.link}
                preload={false}
              >
                {shortenMiddle(subscriber?.name ?? subscriberId, 40)}
              </Link>{' '}
              <KeyText value={feature} max={28} /> <EntitlementValue {...overrideValue(override)} />
              <span className={classes.why}>{describeWhy(setBy?.displayName ?? null, note)}</span>
            </div>
            <span className={classes.when}>{expiresAt && <Moment at={expiresAt} />}</span>
          </li>
        )
      })}
    </ol>
  )
}

/** Who set the override and why, such as "Ada: asked for a trial". */
function describeWhy(setBy: string | null, note: string | null): string {
  return [setBy && shortenMiddle(setBy, 24), note && shortenMiddle(note, 60)].filter(Boolean).join(': ')
}
