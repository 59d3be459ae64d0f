import type { adminClients as english } from '../en-US/admin-clients.ts'

export const adminClients: Record<keyof typeof english, string> = {
  title: 'Aplikacije',
  text: 'Vse registrirane aplikacije te namestitve.',
  search: 'Del imena ali ID odjemalca',
  state: 'Stanje',
  'state.all': 'Vse',
  'state.enabled': 'Vklopljena',
  'state.pending': 'Čaka na odobritev',
  'state.rejected': 'Ni odobrena',
  'state.disabled': 'Izklopljena',
  change: 'Spremeni: {name}',
  enabled: 'Vklopljena',
  'enabled.hint': 'Če izberete Ne, se prijave in žetoni takoj končajo, razvijalci pa aplikacije ne morejo vklopiti.',
  verified: 'Preverjena',
  'verified.hint': 'Na strani za soglasje piše, da so upravljavci aplikacijo preverili.',
  trusted: 'Zaupanja vredna',
  'trusted.hint':
    'Aplikacija same namestitve: nihče ni vprašan za soglasje. Med povezanimi aplikacijami je kljub temu navedena.',
  yes: 'Da',
  no: 'Ne',
  changed: 'Aplikacija je spremenjena.',
  loading: 'Nalaganje aplikacij',
  none: 'Aplikacij še ni. Tukaj bodo naštete aplikacije, ki jih registrirajo organizacije.',
  failed: 'Aplikacij ni bilo mogoče naložiti',
  failed_text: 'Nič ni izgubljeno. Poskusite znova čez trenutek.',
}
