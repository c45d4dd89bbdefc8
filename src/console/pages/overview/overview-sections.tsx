import { useMay } from '../../session/viewer.ts'
import { ChangeSection } from './change-section.tsx'
import { DeliverySection } from './delivery-section.tsx'
import { EvalSection } from './eval-section.tsx'
import { ExpiringSection } from './expiring-section.tsx'
import classes from './overview.module.css'
import { RequestedSection } from './requested-section.tsx'

/** The sections that the role may see. */
export function OverviewSections() {
  const maySeeWebhook = useMay('webhooks:read')
  const maySeeOverrides = useMay('overrides:read')
  const maySeeChanges = useMay('org:audit:read')
  return (
    <div className={classes.sections}>
      <div data-part className={maySeeWebhook ? classes.wide : classes.whole}>
        <EvalSection />
      </div>
      {maySeeWebhook && (
        <div data-part className={classes.narrow}>
          <DeliverySection />
        </div>
      )}
      <div className={classes.whole}>
        <RequestedSection />
      </div>
      {maySeeOverrides && (
        <div data-part className={maySeeChanges ? classes.half : classes.whole}>
          <ExpiringSection />
        </div>
      )}
      {maySeeChanges && (
        <div data-part className={classes.half}>
          <ChangeSection />
        </div>
      )}
    </div>
  )
}
