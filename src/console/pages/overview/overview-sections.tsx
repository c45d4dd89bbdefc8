import { useMay } from '../../session/viewer.ts'
import { ChangeSection } from './change-section.tsx'
import { DeliverySection } from './delivery-section.tsx'
import { EvalSection } from './eval-section.tsx'
import { ExpiringSection } from './expiring-section.tsx'
import classes from './overview.module.css'

/** The sections, as far as the role may see them. */
export function OverviewSections() {
  const maySeeWebhook = useMay('webhooks:read')
  const maySeeOverrides = useMay('overrides:read')
  const maySeeChanges = useMay('org:audit:read')
  return (
    <div className={classes.sections}>
      <div className={maySeeWebhook ? classes.wide : classes.whole}>
        <EvalSection />
      </div>
      {maySeeWebhook && (
        <div className={classes.narrow}>
          <DeliverySection />
        </div>
      )}
      {maySeeOverrides && (
        <div className={maySeeChanges ? classes.half : classes.whole}>
          <ExpiringSection />
        </div>
      )}
      {maySeeChanges && (
        <div className={classes.half}>
          <ChangeSection />
        </div>
      )}
    </div>
  )
}
