/** Timings of the interface in milliseconds (product §9). */
export const TIMINGS = { overlay: 500, dialog_focus: 200, dialog_poll: 50, page_fade: 200 } as const
