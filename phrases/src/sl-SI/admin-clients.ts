import type { adminClients as english } from '../en-US/admin-clients.ts'

export const adminClients: Record<keyof typeof english, string> = {
  title: 'Aplikacije',
  text: 'Vse registrirane aplikacije te namestitve.',
  search: 'Del imena ali ID odjemalca',
  state: 'Stanje',
  'state.all': 'Vse',
  'state.enabled': 'Omogočena',
  'state.pending': 'Čaka na odobritev',
  'state.rejected': 'Ni odobrena',
  'state.disabled': 'Onemogočena',
  change: 'Spremeni: {name}',
  enabled: 'Omogočena',
  'enabled.hint': 'Ne: prijave in žetoni se takoj končajo, razvijalci pa aplikacije ne morejo omogočiti.',
  verified: 'Preverjena',
  'verified.hint': 'Na strani za privolitev piše, da so upravljavci aplikacijo preverili.',
  trusted: 'Zaupanja vredna',
  'trusted.hint':
    'Aplikacija same namestitve: privolitve ne zahteva od nikogar. Med povezanimi aplikacijami je kljub temu navedena.',
  yes: 'Da',
  no: 'Ne',
  changed: 'Aplikacija je spremenjena.',
  loading: 'Nalaganje aplikacij',
  none: 'Aplikacij še ni.',
  failed: 'Aplikacij ni bilo mogoče naložiti',
  failed_text: 'Nič ni izgubljeno. Poskusite znova čez trenutek.',
}
