import type { connections as english } from '../en-US/connections.ts'

export const connections: Record<keyof typeof english, string> = {
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
