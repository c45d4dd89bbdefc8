import { drawIcon } from './icon.tsx'

export const OverviewIcon = drawIcon(<path d="M3 11.5h3l2-6 4 9 2-5h3" />)
export const FeaturesIcon = drawIcon(<path d="M4 5.5h12M4 10h12M4 14.5h12M7 4v3M13 8.5v3M9 13v3" />)
export const PlansIcon = drawIcon(<path d="M3.5 4h13v12h-13zM3.5 8h13M8 8v8M12.5 8v8" />)
export const SubscribersIcon = drawIcon(
  <path d="M7.5 9.5a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5ZM2.5 16c0-2.5 2.2-4 5-4s5 1.5 5 4M13 4.3a2.75 2.75 0 0 1 0 5M14.5 12.3c1.8.5 3 1.8 3 3.7" />,
)
export const WebhookIcon = drawIcon(<path d="m10.5 2.5-6 8.5h5l-1 6.5 7-9h-5z" />)
export const AuditIcon = drawIcon(<path d="M5 2.5h7l3.5 3.5v11.5h-10.5zM12 2.5v3.5h3.5M7.5 10h5M7.5 13.5h5" />)
export const TeamIcon = drawIcon(<path d="M10 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM4 17c0-3 2.5-5 6-5s6 2 6 5" />)
export const MenuIcon = drawIcon(<path d="M3.5 5.5h13M3.5 10h13M3.5 14.5h13" />)
export const SwitchIcon = drawIcon(<path d="m6.5 8 3.5-3.5L13.5 8M6.5 12l3.5 3.5 3.5-3.5" />)
export const BackIcon = drawIcon(<path d="M12 4.5 6.5 10l5.5 5.5" />)
export const ForwardIcon = drawIcon(<path d="M8 4.5 13.5 10 8 15.5" />)
