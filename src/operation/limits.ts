import type { Config } from '../config.ts'

/** The server's limits, from the configuration. */
export type Limits = Pick<
  Config,
  | 'evalRateLimitPerSecond'
  | 'evalMonthlyAllotment'
  | 'maxFeatures'
  | 'maxPlans'
  | 'maxCatalogBytes'
  | 'maxOverrideBytes'
  | 'maxOrganizationsPerPerson'
  | 'maxStoredBytes'
  | 'answerTimeoutMs'
  | 'maxAnswerBytes'
  | 'webhookAllowPrivateNetworks'
  | 'changesRetentionHours'
  | 'publicUrl'
  | 'groupOrganizations'
  | 'delivers'
>
