import { useMay } from '../../frame/viewer.ts'
import { DeliverySection } from './delivery-section.tsx'
import { EvalSection } from './eval-section.tsx'
import { ExpiringSection } from './expiring-section.tsx'
import classes from './overview.module.css'

/** How things stand, as far as the role may see. */
export function OverviewSections() {
  const maySeeWebhook = useMay('webhooks:read')
  const maySeeOverrides = useMay('overrides:read')
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
        <div className={classes.half}>
          <ExpiringSection />
        </div>
      )}
    </div>
  )
}
