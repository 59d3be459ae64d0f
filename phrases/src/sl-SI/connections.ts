import type { connections as english } from '../en-US/connections.ts'

export const connections: Record<keyof typeof english, string> = {
  title: 'Aplikacija {app} želi uporabljati vaš račun Vrata',
  host: 'Nadaljevali boste na {host}',
  made_by: 'Izdelovalec: {organization}, ne Vrata',
  signed_in_as: 'Prijavljeni ste kot',
  change_account: 'Uporabi drug račun',
  things:
    '{count, plural, one {Aplikaciji {app} boste dovolili # stvar} two {Aplikaciji {app} boste dovolili # stvari} few {Aplikaciji {app} boste dovolili # stvari} other {Aplikaciji {app} boste dovolili # stvari}}',
  fresh: 'Novo',
  optional: 'Dovoli: {scope}',
  take_back: 'Dovoljenje lahko kadar koli prekličete med povezanimi aplikacijami.',
  privacy_policy: 'Pravilnik o zasebnosti',
  allow: 'Dovoli',
  allowed: 'Aplikacija je povezana.',
  denied: 'Ničesar niste dovolili.',
  loading: 'Nalaganje dovoljenj',
  'error.invalid_client.title': 'Te aplikacije tukaj ne poznamo',
  'error.invalid_client.text':
    'Aplikacija, ki vas je poslala, ni registrirana ali pa je bila izbrisana. To morajo urediti njeni izdelovalci.',
  'error.client_disabled.title': 'Ta aplikacija je izklopljena',
  'error.client_disabled.text':
    'Izdelovalci so aplikacijo izklopili. Vaša dovoljenja ostanejo shranjena, če jo znova vklopijo.',
  'error.invalid_redirect_uri.title': 'Ta aplikacija bi vas poslala na napačen naslov',
  'error.invalid_redirect_uri.text':
    'Aplikacija vas želi poslati na naslov, ki ga ni registrirala, zato smo se ustavili tukaj.',
  'error.request_expired.title': 'Ta zahteva je potekla',
  'error.request_expired.text':
    'Trajala je predolgo ali pa ste nanjo že odgovorili. Vrnite se v aplikacijo in začnite znova.',
  'error.invalid_request.title': 'Zahteve te aplikacije ne razumemo',
  'error.invalid_request.text': 'V njeni zahtevi nekaj manjka ali je napačno. To morajo urediti njeni izdelovalci.',
  'error.unknown_scope.title': 'Ta aplikacija prosi za preveč',
  'error.unknown_scope.text':
    'Prosi za dovoljenje, ki ne obstaja ali zanj ne sme prositi. To morajo urediti njeni izdelovalci.',
  'error.server_error.title': 'Ta vrata so se zataknila',
  'error.server_error.text': 'Pri nas je prišlo do napake. Vrnite se v aplikacijo in čez trenutek poskusite znova.',
  'error.app': 'Aplikacija',
  'error.code': 'Napaka',
  'scope.openid.title': 'Prepoznavanje vaše osebe',
  'scope.openid.description': 'Ob vrnitvi vas prepozna po oznaki vašega računa.',
  'scope.profile.title': 'Vpogled v vaš profil',
  'scope.profile.description': 'Vaše ime, uporabniško ime, slika, jeziki, datum rojstva in spol.',
  'scope.email.title': 'Vpogled v vaš e-naslov',
  'scope.email.description': 'Vaš naslov in podatek, ali ste ga potrdili.',
  'scope.phone.title': 'Vpogled v vašo telefonsko številko',
  'scope.phone.description': 'Telefonska številka v vašem profilu.',
  'scope.address.title': 'Vpogled v vašo državo',
  'scope.address.description': 'Država v vašem profilu.',
  'scope.offline_access.title': 'Dostop v vaši odsotnosti',
  'scope.offline_access.description':
    'Kar tukaj dovolite, velja tudi takrat, ko aplikacije ne uporabljate, dokler je ne odklopite.',
}
