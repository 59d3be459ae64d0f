import type { connections as english } from '../en-US/connections.ts'

export const connections: Record<keyof typeof english, string> = {
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
