/* The product of the demo's vendor: analytics for teams. */

type DemoFeature = { key: string; name: string; description?: string } & (
  | { kind: 'flag' }
  | { kind: 'limit' }
  | { kind: 'config'; value_type: 'string' | 'number' | 'boolean' | 'json' }
  | { kind: 'config'; value_type: 'enum'; options: string[] }
)

export type DemoGrant = { kind: 'flag' } | { kind: 'limit'; limit: number | null } | { kind: 'config'; value: unknown }

/**
 * From free to enterprise, then `legacy`, which is archived later. A list of limits or config values has one item for each
 * plan, in this order. In such a list, null means an unlimited limit, or a config that is not granted.
 */
export const planKeys = ['free', 'starter', 'team', 'business', 'enterprise', 'legacy'] as const
export type PlanKey = (typeof planKeys)[number]

export const planNames: Record<PlanKey, string> = {
  free: 'Free',
  starter: 'Starter',
  team: 'Team',
  business: 'Business',
  enterprise: 'Enterprise',
  legacy: 'Unlimited 2024',
}

type ValuesByPlan = (number | string | boolean | object | null)[]

const flags: [key: string, name: string, from: PlanKey | null, description?: string][] = [
  ['dashboards', 'Dashboards', 'free'],
  ['exports', 'Export of data', 'starter', 'Download tables as CSV or Parquet.'],
  ['scheduled-reports', 'Scheduled reports', 'starter'],
  ['slack-alerts', 'Alerts in Slack', 'starter'],
  ['api-access', 'API access', 'starter'],
  ['shared-folders', 'Shared folders', 'team'],
  ['custom-branding', 'Custom branding', 'team', 'Logo and colours on shared dashboards.'],
  ['row-level-security', 'Row-level security', 'business'],
  ['sso', 'Single sign-on', 'business', 'SAML and OpenID Connect.'],
  ['scim', 'User provisioning (SCIM)', 'enterprise'],
  ['audit-log', 'Audit log', 'business'],
  ['embedded-analytics', 'Embedded analytics', 'business'],
  ['forecasting', 'Forecasting', 'team'],
  ['anomaly-detection', 'Anomaly detection', 'business'],
  ['data-residency', 'Choice of data region', 'enterprise'],
  ['priority-support', 'Priority support', 'business'],
  ['dedicated-manager', 'Dedicated account manager', 'enterprise'],
  ['beta-notebooks', 'Notebooks (beta)', null, 'By invitation only, until the spring release.'],
  ['white-label', 'White label', 'enterprise'],
  ['offline-mode', 'Offline mode', 'team'],
]

const limits: [key: string, name: string, limits: (number | null)[]][] = [
  ['seats', 'Seats', [2, 5, 20, 100, null, 50]],
  ['viewers', 'Viewers', [5, 25, 200, 2000, null, 500]],
  ['projects', 'Projects', [1, 5, 25, 100, null, 100]],
  ['data-sources', 'Data sources', [1, 3, 10, 40, 200, 40]],
  ['rows-per-month', 'Rows a month', [100_000, 2_000_000, 20_000_000, 200_000_000, null, 50_000_000]],
  ['api-calls-per-day', 'API calls a day', [0, 5_000, 50_000, 500_000, 5_000_000, 100_000]],
  ['storage-gb', 'Storage in GB', [1, 20, 100, 1_000, 10_000, 200]],
  ['refreshes-per-day', 'Refreshes a day', [1, 8, 24, 96, 288, 48]],
  ['alert-rules', 'Alert rules', [0, 10, 50, 500, null, 100]],
  ['saved-queries', 'Saved queries', [10, 100, 1_000, null, null, null]],
  ['history-days', 'Days of history', [7, 30, 180, 730, 3_650, 365]],
  ['workspaces', 'Workspaces', [1, 1, 3, 10, 100, 5]],
]

const configs: [feature: DemoFeature, values: ValuesByPlan][] = [
  [
    {
      key: 'support-level',
      name: 'Support level',
      kind: 'config',
      value_type: 'enum',
      options: ['community', 'e-mail', 'chat', 'phone'],
    },
    ['community', 'e-mail', 'e-mail', 'chat', 'phone', 'e-mail'],
  ],
  [
    { key: 'region', name: 'Data region', kind: 'config', value_type: 'enum', options: ['us', 'eu', 'ap'] },
    ['us', 'us', 'us', 'eu', 'eu', 'us'],
  ],
  [
    {
      key: 'query-priority',
      name: 'Priority of queries',
      kind: 'config',
      value_type: 'enum',
      options: ['low', 'normal', 'high'],
    },
    ['low', 'normal', 'normal', 'high', 'high', 'normal'],
  ],
  [
    { key: 'query-timeout-seconds', name: 'Query timeout in seconds', kind: 'config', value_type: 'number' },
    [15, 30, 60, 300, 900, 60],
  ],
  [
    { key: 'uptime-percent', name: 'Promised uptime', kind: 'config', value_type: 'number' },
    [null, null, 99.5, 99.9, 99.95, 99.5],
  ],
  [
    { key: 'sample-data', name: 'Sample data at sign-up', kind: 'config', value_type: 'boolean' },
    [true, true, false, false, false, true],
  ],
  [
    { key: 'default-theme', name: 'Default theme', kind: 'config', value_type: 'string' },
    ['light', 'light', 'light', 'brand', 'brand', 'light'],
  ],
  [
    {
      key: 'export-policy',
      name: 'Export policy',
      description: 'Which formats, and how many rows of each.',
      kind: 'config',
      value_type: 'json',
    },
    [
      null,
      { formats: ['csv'], max_rows: 10_000 },
      { formats: ['csv', 'xlsx'], max_rows: 100_000 },
      { formats: ['csv', 'xlsx', 'parquet'], max_rows: 5_000_000 },
      { formats: ['csv', 'xlsx', 'parquet'], max_rows: null },
      { formats: ['csv'], max_rows: 100_000 },
    ],
  ],
]

export const demoFeatures: DemoFeature[] = [
  ...flags.map(([key, name, , description]) => ({
    key,
    name,
    kind: 'flag' as const,
    ...(description && { description }),
  })),
  ...limits.map(([key, name]) => ({ key, name, kind: 'limit' as const })),
  ...configs.map(([feature]) => feature),
]

/** A plan's grants, in the format of the REST API. */
export function grantsOf(plan: PlanKey): Record<string, DemoGrant> {
  const index = planKeys.indexOf(plan)
  // The old plan has the same flags as Team.
  const rank = plan === 'legacy' ? planKeys.indexOf('team') : index
  const grants: Record<string, DemoGrant> = {}
  for (const [key, , from] of flags) {
    if (from !== null && planKeys.indexOf(from) <= rank) grants[key] = { kind: 'flag' }
  }
  for (const [key, , caps] of limits) grants[key] = { kind: 'limit', limit: caps[index] as number | null }
  for (const [{ key }, values] of configs) {
    const value = values[index]
    if (value !== null) grants[key] = { kind: 'config', value }
  }
  return grants
}
