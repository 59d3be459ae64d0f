import { pathIcon } from './draw-icon.tsx'

// Icons of signed-in pages.
export const HomeIcon = /* @__PURE__ */ pathIcon(
  'M4.5 20.5V11a7.5 7.5 0 0 1 15 0v9.5zM9.5 20.5V16a2.5 2.5 0 0 1 5 0v4.5',
)
export const PeopleIcon = /* @__PURE__ */ pathIcon(
  'M9 12a3.75 3.75 0 1 0 0-7.5A3.75 3.75 0 0 0 9 12M2.5 20c.3-3.3 2.8-5.2 6.5-5.2s6.2 1.9 6.5 5.2M15.5 4.8a3.75 3.75 0 0 1 0 6.9M18 15.3c2 .7 3.3 2.3 3.5 4.7',
)
export const MembersIcon = /* @__PURE__ */ pathIcon(
  'M10.5 12.5a4.25 4.25 0 1 0 0-8.5 4.25 4.25 0 0 0 0 8.5M3 20.5c.9-3.2 3-5 5-5.2M18 20.5c-.9-3.2-3-5-5-5.2M16.5 7l2 2 3.5-3.8',
)
export const BookIcon = /* @__PURE__ */ pathIcon('M5 18.5V5.5a2 2 0 0 1 2-2h12v17H7a2 2 0 0 1 0-4h12')
export const LockIcon = /* @__PURE__ */ pathIcon(
  'M7 10.5h10a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-6a2 2 0 0 1 2-2M8 10.5V8a4 4 0 0 1 8 0v2.5M12 14.5v2',
)
export const CodeIcon = /* @__PURE__ */ pathIcon('m8 7-5 5 5 5M16 7l5 5-5 5M13.5 4.5l-3 15')
export const SettingsIcon = /* @__PURE__ */ pathIcon('M4 7h9M17 7h3M15 9.5v-5M4 17h3M11 17h9M9 19.5v-5')
export const ChevronRightIcon = /* @__PURE__ */ pathIcon('m9.5 6.5 5.5 5.5-5.5 5.5')
export const ArrowLeftIcon = /* @__PURE__ */ pathIcon('M20 12H4.5M11 5.5 4.5 12l6.5 6.5')
export const ExternalIcon = /* @__PURE__ */ pathIcon(
  'M10 5H7a2.5 2.5 0 0 0-2.5 2.5v9.5A2.5 2.5 0 0 0 7 19.5h9.5A2.5 2.5 0 0 0 19 17v-3M14 4.5h5.5V10M19.5 4.5 11.5 12.5',
)
export const MoreIcon = /* @__PURE__ */ pathIcon(
  'M4.2 12a.8.8 0 1 0 1.6 0 .8.8 0 1 0-1.6 0M11.2 12a.8.8 0 1 0 1.6 0 .8.8 0 1 0-1.6 0M18.2 12a.8.8 0 1 0 1.6 0 .8.8 0 1 0-1.6 0',
)
export const SignOutIcon = /* @__PURE__ */ pathIcon(
  'M13.5 20.5H6.5V10a5.5 5.5 0 0 1 8-4.9M14 13h7.5M18.5 9.5 22 13l-3.5 3.5',
)
export const PlusIcon = /* @__PURE__ */ pathIcon('M12 5v14M5 12h14')
export const CopyIcon = /* @__PURE__ */ pathIcon(
  'M10 8.5h8.5a2 2 0 0 1 2 2V19a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2v-8.5a2 2 0 0 1 2-2M4.5 15.5a2 2 0 0 1-1-1.7V5.5a2 2 0 0 1 2-2h8.3a2 2 0 0 1 1.7 1',
)
export const EditIcon = /* @__PURE__ */ pathIcon(
  'm14.5 5.5 4 4M4.5 19.5l.8-4.5L15.8 4.5a1.8 1.8 0 0 1 2.6 0l1.1 1.1a1.8 1.8 0 0 1 0 2.6L9 18.7z',
)
export const TrashIcon = /* @__PURE__ */ pathIcon(
  'M4.5 7h15M9.5 7V5.5a1.5 1.5 0 0 1 1.5-1.5h2a1.5 1.5 0 0 1 1.5 1.5V7M6.5 7l.7 11.2a2 2 0 0 0 2 1.8h5.6a2 2 0 0 0 2-1.8L17.5 7',
)
export const SearchIcon = /* @__PURE__ */ pathIcon('M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M15.5 15.5l5 5')
export const CameraIcon = /* @__PURE__ */ pathIcon(
  'M8.5 6.5 10 4.5h4l1.5 2H18a2.5 2.5 0 0 1 2.5 2.5v8a2.5 2.5 0 0 1-2.5 2.5H6A2.5 2.5 0 0 1 3.5 17V9A2.5 2.5 0 0 1 6 6.5zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7',
)
export const MailIcon = /* @__PURE__ */ pathIcon(
  'M5.5 5.5h13a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2M4 7.5l8 5.5 8-5.5',
)
export const TicketIcon = /* @__PURE__ */ pathIcon(
  'M3.5 9.5v-2a1.5 1.5 0 0 1 1.5-1.5h14a1.5 1.5 0 0 1 1.5 1.5v2a2.5 2.5 0 0 0 0 5v2a1.5 1.5 0 0 1-1.5 1.5H5a1.5 1.5 0 0 1-1.5-1.5v-2a2.5 2.5 0 0 0 0-5M14 6v2M14 11v2M14 16v2',
)
export const LaptopIcon = /* @__PURE__ */ pathIcon(
  'M6.5 5h11A1.5 1.5 0 0 1 19 6.5V15H5V6.5A1.5 1.5 0 0 1 6.5 5M2.5 18.5h19',
)
export const ClockIcon = /* @__PURE__ */ pathIcon('M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17M12 7.5V12l3 2')
export const LinkIcon = /* @__PURE__ */ pathIcon(
  'M10 14a4 4 0 0 0 5.7 0l3.1-3.1a4 4 0 0 0-5.7-5.7L12 6.3M14 10a4 4 0 0 0-5.7 0l-3.1 3.1a4 4 0 0 0 5.7 5.7L12 17.7',
)
export const AtIcon = /* @__PURE__ */ pathIcon(
  'M12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M15.5 8.5v5a2.5 2.5 0 0 0 5 0V12a8.5 8.5 0 1 0-3.4 6.8',
)
export const CakeIcon = /* @__PURE__ */ pathIcon(
  'M4.5 20.5v-6a2 2 0 0 1 2-2h11a2 2 0 0 1 2 2v6M3 20.5h18M4.5 16c2.5 2 5 2 7.5 0s5-2 7.5 0M12 12.5V9M12 6.2v-2.7',
)
export const FlagIcon = /* @__PURE__ */ pathIcon('M5.5 21V4M5.5 5c4-2.5 8 2 13 0v9c-5 2-9-2.5-13 0')
export const TelephoneIcon = /* @__PURE__ */ pathIcon(
  'M8.5 4.5H5.8A1.8 1.8 0 0 0 4 6.5C4.8 13.7 10.3 19.2 17.5 20a1.8 1.8 0 0 0 2-1.8v-2.7l-4.3-1.5-1.9 2a12 12 0 0 1-5.3-5.3l2-1.9z',
)
export const DownloadIcon = /* @__PURE__ */ pathIcon('M12 4v11M7.5 11l4.5 4.5 4.5-4.5M4.5 19.5h15')
export const ArchiveIcon = /* @__PURE__ */ pathIcon(
  'M4.5 4.5h15a1 1 0 0 1 1 1V9h-17V5.5a1 1 0 0 1 1-1M5 9v8.5a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V9M10 13h4',
)
export const InfoIcon = /* @__PURE__ */ pathIcon('M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17M12 11.5V16M12 8.2h.01')
export const DevicesIcon = /* @__PURE__ */ pathIcon(
  'M13.5 17.5h-9a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2h11a2 2 0 0 1 2 2v.5M7 20.5h5M18 10.5h2a1.5 1.5 0 0 1 1.5 1.5v7a1.5 1.5 0 0 1-1.5 1.5h-2a1.5 1.5 0 0 1-1.5-1.5v-7a1.5 1.5 0 0 1 1.5-1.5',
)
export const CheckIcon = /* @__PURE__ */ pathIcon('m5 12.5 4.5 4.5L19 7')
export const PhoneIcon = /* @__PURE__ */ pathIcon(
  'M8.5 3h7a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2M11 18h2',
)
export const SunIcon = /* @__PURE__ */ pathIcon(
  'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4',
)
export const MoonIcon = /* @__PURE__ */ pathIcon('M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5')
export const PaletteIcon = /* @__PURE__ */ pathIcon(
  'M12 20.5a8.5 8.5 0 1 1 8.5-8.5c0 2.2-1.6 3.2-3.5 3.2h-2.2a1.7 1.7 0 0 0-1.2 2.900c.8.9.2 2.400-1.6 2.400M8 12.2h.01M9.8 8.3h.01M14.2 8.3h.01',
)
