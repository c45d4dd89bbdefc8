import type { OverrideRowFragment } from '../../../generated/features.ts'

export type Override = OverrideRowFragment

export function isLive({ expiresAt }: Pick<Override, 'expiresAt'>, now: Date): boolean {
  return expiresAt === null || Date.parse(expiresAt) > now.getTime()
}
