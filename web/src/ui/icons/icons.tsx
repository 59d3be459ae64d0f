import { pathIcon } from './draw-icon.tsx'

// Icons of public pages; others are in a separate file, so that /login does not load them.
export const PersonIcon = /* @__PURE__ */ pathIcon(
  'M12 12.5a4.25 4.25 0 1 0 0-8.5 4.25 4.25 0 0 0 0 8.5M4.5 20.5c.9-3.2 3-5 5-5.2M19.5 20.5c-.9-3.2-3-5-5-5.2',
)
export const EyeIcon = /* @__PURE__ */ pathIcon(
  'M2.5 12C4.6 8 8 6 12 6s7.4 2 9.5 6c-2.1 4-5.5 6-9.5 6s-7.4-2-9.5-6M12 14.75a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5',
)
export const EyeOffIcon = /* @__PURE__ */ pathIcon(
  'M9.5 6.3A9.6 9.6 0 0 1 12 6c4 0 7.4 2 9.5 6a13 13 0 0 1-2.4 3.2M6.4 7.6A12.4 12.4 0 0 0 2.5 12c2.1 4 5.5 6 9.5 6a10 10 0 0 0 5-1.3M4 4l16 16M10.1 10.1a2.75 2.75 0 0 0 3.8 3.8',
)
export const KeyIcon = /* @__PURE__ */ pathIcon(
  'M8 20.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M11.2 12.8 20 4M16 8l3 3M13.6 10.4l1.9 1.9',
)
export const AppsIcon = /* @__PURE__ */ pathIcon(
  'M5.5 3.5h3a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2h-3a2 2 0 0 1-2-2v-3a2 2 0 0 1 2-2M15.5 3.5h3a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2h-3a2 2 0 0 1-2-2v-3a2 2 0 0 1 2-2M5.5 13.5h3a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2h-3a2 2 0 0 1-2-2v-3a2 2 0 0 1 2-2M17 13.5v7M13.5 17h7',
)
export const ArchIcon = /* @__PURE__ */ pathIcon(
  'M4.5 20.5V11a7.5 7.5 0 0 1 15 0v9.5zM8.5 20.5V11.5a3.5 3.5 0 0 1 7 0v9',
)
export const ChevronDownIcon = /* @__PURE__ */ pathIcon('m6.5 9.5 5.5 5.5 5.5-5.5')
export const CloseIcon = /* @__PURE__ */ pathIcon('m6 6 12 12M18 6 6 18')
export const GlobeIcon = /* @__PURE__ */ pathIcon(
  'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17M3.5 12h17M12 3.5c2.3 2.3 3.5 5.2 3.5 8.5s-1.2 6.2-3.5 8.5c-2.3-2.3-3.5-5.2-3.5-8.5s1.2-6.2 3.5-8.5',
)
export const AlertIcon = /* @__PURE__ */ pathIcon('M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17M12 8v4.5M12 15.8h.01')
export const OfflineIcon = /* @__PURE__ */ pathIcon(
  'M4 4l16 16M8.5 15.5a5 5 0 0 1 6 -.6M5.2 12.3A9.5 9.5 0 0 1 9 10M12.5 9.3a9.5 9.5 0 0 1 6.3 3M12 19h.01',
)
