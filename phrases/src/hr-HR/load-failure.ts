import type { loadFailure as english } from '../en-US/load-failure.ts'

export const loadFailure: Record<keyof typeof english, string> = {
  heading: 'Stranicu nije bilo moguće učitati',
  text: 'Dio stranice nije se učitao. Provjerite vezu pa ponovno učitajte stranicu.',
  reload: 'Učitaj ponovno',
  noscript_heading: 'Za ovu je stranicu potreban JavaScript',
  noscript: 'Uključite JavaScript u pregledniku pa ponovno učitajte stranicu.',
}
