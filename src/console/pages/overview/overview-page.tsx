import { PageHeader } from '../../components/page/page-header.tsx'
import { useMay } from '../../frame/viewer.ts'
import { DeliveryHealth } from './delivery-health.tsx'
import { EvalUsage } from './eval-usage.tsx'

export function OverviewPage() {
  const mayReadWebhook = useMay('webhooks:read')
  return (
    <>
      <PageHeader title="Overview" description="How this organization stands right now." />
      <EvalUsage />
      {mayReadWebhook && <DeliveryHealth />}
    </>
  )
}
