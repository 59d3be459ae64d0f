import type { connections as english } from '../en-US/connections.ts'

export const connections: Record<keyof typeof english, string> = {
  title: 'Aplikacija {app} želi koristiti vaš račun Vrata',
  host: 'Nastavit ćete na {host}',
  made_by: 'Izrađivač: {organization}, a ne Vrata',
  signed_in_as: 'Prijavljeni ste kao',
  change_account: 'Upotrijebi drugi račun',
  things:
    '{count, plural, one {Aplikaciji {app} dopustit ćete # stvar} few {Aplikaciji {app} dopustit ćete # stvari} other {Aplikaciji {app} dopustit ćete # stvari}}',
  fresh: 'Novo',
  optional: 'Dopusti: {scope}',
  take_back: 'Dopuštenje možete povući u svakom trenutku među povezanim aplikacijama.',
  privacy_policy: 'Pravila privatnosti',
  allow: 'Dopusti',
  allowed: 'Aplikacija je povezana.',
  denied: 'Ništa niste dopustili.',
  loading: 'Učitavanje dopuštenja',
  'error.invalid_client.title': 'Ova aplikacija ovdje nije poznata',
  'error.invalid_client.text':
    'Aplikacija koja vas je poslala nije registrirana ili je izbrisana. To moraju urediti njezini izrađivači.',
  'error.client_disabled.title': 'Ova je aplikacija isključena',
  'error.client_disabled.text':
    'Izrađivači su aplikaciju isključili. Vaša dopuštenja ostaju spremljena ako je ponovno uključe.',
  'error.invalid_redirect_uri.title': 'Ova bi vas aplikacija poslala na pogrešnu adresu',
  'error.invalid_redirect_uri.text':
    'Aplikacija vas želi poslati na adresu koju nije registrirala, pa smo se ovdje zaustavili.',
  'error.request_expired.title': 'Ovaj je zahtjev istekao',
  'error.request_expired.text':
    'Trajao je predugo ili ste na njega već odgovorili. Vratite se u aplikaciju i počnite ispočetka.',
  'error.invalid_request.title': 'Ne razumijemo zahtjev ove aplikacije',
  'error.invalid_request.text':
    'U njezinu zahtjevu nešto nedostaje ili je pogrešno. To moraju urediti njezini izrađivači.',
  'error.unknown_scope.title': 'Ova aplikacija traži previše',
  'error.unknown_scope.text':
    'Traži dopuštenje koje ne postoji ili koje ne smije tražiti. To moraju urediti njezini izrađivači.',
  'error.server_error.title': 'Ova su vrata zapela',
  'error.server_error.text': 'Kod nas je došlo do pogreške. Vratite se u aplikaciju i pokušajte ponovno za trenutak.',
  'error.app': 'Aplikacija',
  'error.code': 'Pogreška',
  'scope.openid.title': 'Prepoznavanje vas',
  'scope.openid.description': 'Pri povratku vas prepoznaje po oznaci vašeg računa.',
  'scope.profile.title': 'Uvid u vaš profil',
  'scope.profile.description': 'Vaše ime, korisničko ime, slika, jezici, datum rođenja i spol.',
  'scope.email.title': 'Uvid u vašu e-adresu',
  'scope.email.description': 'Vaša adresa i podatak jeste li je potvrdili.',
  'scope.phone.title': 'Uvid u vaš telefonski broj',
  'scope.phone.description': 'Telefonski broj u vašem profilu.',
  'scope.address.title': 'Uvid u vašu državu',
  'scope.address.description': 'Država u vašem profilu.',
  'scope.offline_access.title': 'Pristup dok niste prisutni',
  'scope.offline_access.description':
    'Ono što ovdje dopustite vrijedi i kad aplikaciju ne koristite, dok ne uklonite povezanost s njom.',
}
