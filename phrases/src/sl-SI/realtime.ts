import type { realtime as english } from '../en-US/realtime.ts'

export const realtime: Record<keyof typeof english, string> = {
  lost: 'Povezava s strežnikom je prekinjena. Prikazano morda ni več točno.',
  signed_in: 'Pravkar se je prijavila naprava: {device}',
  signed_in_somewhere: 'Pravkar se je prijavila druga naprava',
  not_me: 'To nisem jaz',
  app_request: 'Potrditev prijave zahteva aplikacija: {app}',
  review: 'Preglej',
}
