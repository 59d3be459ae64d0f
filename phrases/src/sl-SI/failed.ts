import type { failed as english } from '../en-US/failed.ts'

export const failed: Record<keyof typeof english, string> = {
  heading: 'Stran se ni mogla zagnati',
  text: 'Del strani ni prispel. Preverite povezavo in stran naložite znova.',
  reload: 'Naloži znova',
  noscript: 'Ta stran potrebuje JavaScript. Vklopite ga v brskalniku in stran naložite znova.',
}
