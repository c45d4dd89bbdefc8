import { ActionIcon, Drawer } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import { SearchIcon } from '../components/icons/actions.tsx'
import { MenuIcon } from '../components/icons/navigation.tsx'
import { EnvironmentBadge } from '../components/text/environment-badge.tsx'
import { ViewerDocument } from '../generated/session.ts'
import { useLostMembership } from '../session/lost-membership.ts'
import { useOrganizationId } from '../session/organization-id.ts'
import { useOrganizationQuery } from '../session/queries.ts'
import { NotAMember } from './not-a-member.tsx'
import classes from './organization-frame.module.css'
import { Rail } from './rail.tsx'
import { WithinFrame } from './route-error.tsx'
import { SearchLauncher } from './search/search-launcher.tsx'
import { Shortcuts } from './shortcuts/shortcuts.tsx'

/** Surrounds an organization's pages with the rail, which is at the side, or on a phone in a drawer that a button opens. */
export function OrganizationFrame() {
  const [isOpen, setOpen] = useState(false)
  const [isSearching, setSearching] = useState(false)
  const data = useOrganizationQuery(ViewerDocument, {}).data
  const organization = data?.organization
  const close = () => setOpen(false)
  if (useLostMembership(useOrganizationId())) return <NotAMember />
  return (
    <div className={classes.frame}>
      {organization?.environment && (
        <div className={classes[organization.environment]} data-drawn data-screen-only aria-hidden="true" />
      )}
      <a href="#content" className={classes.skip}>
        Skip to the content
      </a>
      <aside className={classes.rail} data-screen-only>
        <Rail onSearch={() => setSearching(true)} />
      </aside>
      <header className={classes.bar} data-screen-only>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Open the menu" onClick={() => setOpen(true)}>
          <MenuIcon />
        </ActionIcon>
        <span className={classes.name}>{organization?.name}</span>
        <EnvironmentBadge environment={organization?.environment} />
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Search" onClick={() => setSearching(true)}>
          <SearchIcon />
        </ActionIcon>
      </header>
      <Drawer
        opened={isOpen}
        onClose={close}
        position="left"
        size={280}
        title="Entitlements"
        closeButtonProps={{ 'aria-label': 'Close the menu' }}
        classNames={{ body: classes.drawer }}
      >
        <Rail onNavigate={close} />
      </Drawer>
      <SearchLauncher opened={isSearching} onChange={setSearching} />
      <Shortcuts />
      <main id="content" className={classes.content} tabIndex={-1}>
        {data?.viewer.sendsWebhooks === false && (
          <p role="status" className={classes.notice}>
            This server sends no webhooks: it was started with <code>--no-delivery</code>. Events wait in the queue.
          </p>
        )}
        <WithinFrame value={true}>
          <Outlet />
        </WithinFrame>
      </main>
    </div>
  )
}
