import type { failed as english } from '../en-US/failed.ts'

export const failed: Record<keyof typeof english, string> = {
  heading: 'Stranica se nije mogla pokrenuti',
  text: 'Dio stranice nije stigao. Provjerite vezu i ponovno učitajte stranicu.',
  reload: 'Učitaj ponovno',
  noscript: 'Za ovu je stranicu potreban JavaScript. Uključite ga u pregledniku pa ponovno učitajte stranicu.',
}
