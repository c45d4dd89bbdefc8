import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './plain-frame.module.css'

type Props = { title: string; description?: ReactNode; children: ReactNode; wide?: boolean }

/** Surrounds the pages outside of an organization, such as sign-in and account: one column below the product's name. */
export function PlainFrame({ title, description, children, wide = false }: Props) {
  return (
    <main className={wide ? `${classes.frame} ${classes.wide}` : classes.frame}>
      <title>{`${title} · Entitlements`}</title>
      <p className={classes.product}>
        <img src="/assets/icon.svg" width={20} height={20} alt="" />
        Entitlements
      </p>
      <Title order={1}>{title}</Title>
      {description && <p className={classes.description}>{description}</p>}
      <div className={classes.content}>{children}</div>
    </main>
  )
}
