import { drawIcon } from './icon.tsx'

export const AddIcon = drawIcon(<path d="M10 4v12M4 10h12" />)
export const EditIcon = drawIcon(<path d="m12.5 4 3.5 3.5L7.5 16H4v-3.5zM10.5 6 14 9.5" />)
export const DeleteIcon = drawIcon(<path d="M4 5.5h12M8 5.5v-2h4v2M5.5 5.5l.5 11h8l.5-11M8.5 8.5v5M11.5 8.5v5" />)
export const CopyIcon = drawIcon(<path d="M7 7h9.5v9.5H7zM13 7V3.5H3.5V13H7" />)
export const DoneIcon = drawIcon(<path d="m4.5 10.5 3.5 3.5 7.5-8" />)
export const CrossIcon = drawIcon(<path d="m5.5 5.5 9 9M14.5 5.5l-9 9" />)
export const SearchIcon = drawIcon(<path d="M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM13 13l3.5 3.5" />)
export const DragIcon = drawIcon(<path d="M8 5h.01M12 5h.01M8 10h.01M12 10h.01M8 15h.01M12 15h.01" strokeWidth={2.2} />)
export const WarningIcon = drawIcon(<path d="M10 3 2.5 16.5h15zM10 8v4M10 14.2v.1" />)
export const InfoIcon = drawIcon(<path d="M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM10 9.5V13.5M10 6.8v.1" />)
export const LightIcon = drawIcon(
  <path d="M10 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM10 2.5v1M10 16.5v1M2.5 10h1M16.5 10h1M4.7 4.7l.7.7M14.6 14.6l.7.7M4.7 15.3l.7-.7M14.6 5.4l.7-.7" />,
)
export const DarkIcon = drawIcon(<path d="M16.5 11.5A6.8 6.8 0 0 1 8.5 3.5a6.8 6.8 0 1 0 8 8Z" />)
export const MoreIcon = drawIcon(<path d="M5 10h.01M10 10h.01M15 10h.01" strokeWidth={2.2} />)
