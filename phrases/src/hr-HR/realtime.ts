import type { realtime as english } from '../en-US/realtime.ts'

export const realtime: Record<keyof typeof english, string> = {
  lost: 'Veza s poslužiteljem je prekinuta. Prikazano možda više nije točno.',
  signed_in: 'Upravo se prijavio uređaj: {device}',
  signed_in_somewhere: 'Upravo se prijavio drugi uređaj',
  not_me: 'To nisam ja',
  app_request: 'Potvrdu prijave traži aplikacija: {app}',
  review: 'Pregledaj',
}
