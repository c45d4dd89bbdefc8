import { drawIcon } from './icon.tsx'

export const FlagIcon = drawIcon(<path d="M5 17V3.5M5 4h9.5l-2 3.5 2 3.5H5" />)
export const LimitIcon = drawIcon(<path d="M3 13.5a7 7 0 0 1 14 0M10 13.5l3.5-4.5" />)
export const ConfigIcon = drawIcon(
  <path d="M7.5 3.5C5.5 3.5 6 6 6 7.5S5 10 3.5 10C5 10 6 11 6 12.5s-.5 4 1.5 4M12.5 3.5c2 0 1.5 2.5 1.5 4s1 2.5 2.5 2.5c-1.5 0-2.5 1-2.5 2.5s.5 4-1.5 4" />,
)
export const OverrideIcon = drawIcon(<path d="M4 6h6.5a4 4 0 0 1 0 8H6M8.5 11.5 6 14l2.5 2.5" />)
export const PlanIcon = drawIcon(<path d="M3.5 4h13v12h-13zM3.5 8.5h13" />)
export const NoneIcon = drawIcon(<path d="M6 10h8" />)
