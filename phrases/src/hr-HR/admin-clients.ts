import type { adminClients as english } from '../en-US/admin-clients.ts'

export const adminClients: Record<keyof typeof english, string> = {
  title: 'Aplikacije',
  text: 'Sve registrirane aplikacije ove instalacije.',
  search: 'Dio imena ili ID klijenta',
  state: 'Stanje',
  'state.all': 'Sve',
  'state.enabled': 'Omogućena',
  'state.pending': 'Čeka odobrenje',
  'state.rejected': 'Nije odobrena',
  'state.disabled': 'Onemogućena',
  change: 'Promijeni: {name}',
  enabled: 'Omogućena',
  'enabled.hint': 'Ne: prijave i tokeni odmah završavaju, a razvojni programeri ne mogu omogućiti aplikaciju.',
  verified: 'Provjerena',
  'verified.hint': 'Na stranici za pristanak piše da su operateri provjerili aplikaciju.',
  trusted: 'Pouzdana',
  'trusted.hint':
    'Aplikacija same instalacije: ni od koga ne traži pristanak. Svejedno je navedena među povezanim aplikacijama.',
  yes: 'Da',
  no: 'Ne',
  changed: 'Aplikacija je promijenjena.',
  loading: 'Učitavanje aplikacija',
  none: 'Još nema aplikacija.',
  failed: 'Aplikacije nije bilo moguće učitati',
  failed_text: 'Ništa nije izgubljeno. Pokušajte ponovno za trenutak.',
}
