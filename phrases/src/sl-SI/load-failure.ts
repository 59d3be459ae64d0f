import type { loadFailure as english } from '../en-US/load-failure.ts'

export const loadFailure: Record<keyof typeof english, string> = {
  heading: 'Strani ni bilo mogoče naložiti',
  text: 'Del strani se ni naložil. Preverite povezavo in stran naložite znova.',
  reload: 'Naloži znova',
  noscript_heading: 'Ta stran potrebuje JavaScript',
  noscript: 'V brskalniku vklopite JavaScript in stran naložite znova.',
}
