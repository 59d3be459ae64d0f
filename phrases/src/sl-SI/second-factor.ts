import type { secondFactor as english } from '../en-US/second-factor.ts'

export const secondFactor: Record<keyof typeof english, string> = {
  'reauthenticate.title': 'Potrdite, da ste to vi',
  'reauthenticate.text': 'Prijavljeni ste kot {email}. Za to spremembo vpišite geslo.',
  'reauthenticate.do': 'Potrdi',
  code: 'Koda',
  code_hint: 'Šest števk iz aplikacije za preverjanje pristnosti.',
  code_invalid: 'Vpišite vseh šest števk.',
  backup: 'Rezervna koda',
  backup_hint: 'Ena od desetih shranjenih kod. Vsaka deluje enkrat.',
  use_backup: 'Uporabi rezervno kodo',
  use_code: 'Uporabi kodo',
  use_app: 'Uporabi kodo iz aplikacije za preverjanje pristnosti',
  use_passkey: 'Uporabi ključ za dostop',
  use_password: 'Uporabi geslo',
  'step.title': 'Vpišite kodo',
  'step.text': 'Za ta račun je vklopljena prijava v dveh korakih.',
  'step.do': 'Nadaljuj',
  passkey_text: 'Brskalnik vas bo prosil za prstni odtis, obraz ali zaklep zaslona.',
  passkey_do: 'Uporabi ključ za dostop',
  'passkey.cancelled': 'Ključ za dostop ni bil izbran ali pa je trajalo predolgo. Poskusite znova.',
  'passkey.unsupported':
    'Ta brskalnik ne podpira ključev za dostop. Prijavite se drugače ali uporabite drug brskalnik.',
  'passkey.already_added': 'Ta naprava že ima ključ za dostop do vašega računa.',
  'passkey.no_lock':
    'Ta naprava nima nastavljenega zaklepa zaslona ali prstnega odtisa. Najprej ga nastavite ali uporabite drugo napravo.',
  'passkey.wrong_site': 'Ključi za dostop na tem naslovu ne delujejo. Obvestite upravljavca storitve.',
  'passkey.failed': 'Naprava ni mogla uporabiti ključa za dostop. Poskusite znova ali izberite drug način.',
}
