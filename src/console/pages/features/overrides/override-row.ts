import type { OverrideRowFragment } from '../../../generated/features.ts'

export type Override = OverrideRowFragment
