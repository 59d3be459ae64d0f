import type { accountInvitations as english } from '../en-US/account-invitations.ts'

export const accountInvitations: Record<keyof typeof english, string> = {
  title: 'Nastavitev računa',
  for: 'Za naslov {email} je ustvarjen račun. Nastavite, kako se boste prijavljali.',
  text: 'Nastavite, kako se boste prijavljali.',
  do: 'Shrani geslo in me prijavi',
  or: 'Ali brez gesla:',
  passkey: 'Uporabi ključ za dostop',
  invalid: 'Povezava ni veljavna',
  invalid_text:
    'Deluje enkrat, 7 dni. Če ste račun že nastavili, se prijavite. Sicer za novo povezavo prosite tistega, ki vas je povabil.',
  maybe: 'Vaš račun je morda že nastavljen',
  maybe_text:
    'Na enega od poskusov ni bilo odgovora, povezava pa ne deluje več. Poskusite se prijaviti s tem, kar ste nastavili. Če vam ne uspe, za novo povezavo prosite tistega, ki vas je povabil.',
  login: 'Prijava',
  new_passkey: 'Nastavite nov ključ za dostop',
  'new_passkey.for': 'Račun {email} nima več ključa za dostop. Nastavite novega, da se prijavite.',
  'new_passkey.text': 'Vaš račun nima več ključa za dostop. Nastavite novega, da se prijavite.',
  'new_passkey.do': 'Nastavi ključ in me prijavi',
  'new_passkey.invalid':
    'Deluje enkrat, 24 ur. Če ste ključ za dostop že nastavili, se prijavite. Sicer za novo povezavo prosite upravljavce te storitve.',
  'new_passkey.maybe': 'Nov ključ za dostop je morda že nastavljen',
  'new_passkey.maybe_text':
    'Na enega od poskusov ni bilo odgovora, povezava pa ne deluje več. Poskusite se prijaviti z novim ključem za dostop. Če vam ne uspe, za novo povezavo prosite upravljavce te storitve.',
  script: 'Ključi za dostop potrebujejo JavaScript. Vklopite ga ali odprite povezavo v drugem brskalniku.',
}
