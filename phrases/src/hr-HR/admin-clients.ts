import type { adminClients as english } from '../en-US/admin-clients.ts'

export const adminClients: Record<keyof typeof english, string> = {
  title: 'Aplikacije',
  text: 'Sve registrirane aplikacije ove instalacije.',
  search: 'Dio naziva ili ID klijenta',
  state: 'Stanje',
  'state.all': 'Sve',
  'state.enabled': 'Uključena',
  'state.pending': 'Čeka odobrenje',
  'state.rejected': 'Nije odobrena',
  'state.disabled': 'Isključena',
  change: 'Promijeni: {name}',
  enabled: 'Uključena',
  'enabled.hint': 'Ako odaberete Ne, prijave i tokeni odmah završavaju, a programeri ne mogu uključiti aplikaciju.',
  verified: 'Provjerena',
  'verified.hint': 'Na stranici za pristanak piše da su operateri provjerili aplikaciju.',
  trusted: 'Pouzdana',
  'trusted.hint':
    'Aplikacija same instalacije: ni od koga se ne traži pristanak. Svejedno je navedena među povezanim aplikacijama.',
  yes: 'Da',
  no: 'Ne',
  changed: 'Aplikacija je promijenjena.',
  loading: 'Učitavanje aplikacija',
  none: 'Još nema aplikacija. Ovdje će biti navedene aplikacije koje organizacije registriraju.',
  failed: 'Aplikacije nije bilo moguće učitati',
  failed_text: 'Ništa nije izgubljeno. Pokušajte ponovno za trenutak.',
}
