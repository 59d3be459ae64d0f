import type { proof as english } from '../en-US/proof.ts'

export const proof: Record<keyof typeof english, string> = {
  'prove.title': 'Potrdite, da ste to vi',
  'prove.text': 'Prijavljeni ste kot {email}. Pred takšno spremembo vas prosimo za geslo.',
  'prove.do': 'Potrdi',
  code: 'Koda',
  code_hint: 'Šest števk iz aplikacije za preverjanje pristnosti.',
  code_invalid: 'Vpišite vseh šest števk.',
  backup: 'Rezervna koda',
  backup_hint: 'Ena od desetih shranjenih kod. Deluje enkrat.',
  use_backup: 'Uporabi rezervno kodo',
  use_code: 'Uporabi kodo',
  use_app: 'Uporabi kodo iz aplikacije',
  use_passkey: 'Uporabi ključ za dostop',
  use_password: 'Uporabi geslo',
  'step.title': 'Vpišite kodo',
  'step.text': 'Za ta račun je vklopljena prijava v dveh korakih.',
  'step.do': 'Nadaljuj',
  passkey_text: 'Brskalnik vas bo prosil za prstni odtis, obraz ali zaklep zaslona.',
  passkey_do: 'Uporabi ključ za dostop',
  'passkey.cancelled': 'Izbira ni bila opravljena ali pa je trajala predolgo. Poskusite znova.',
  'passkey.unsupported': 'Ta brskalnik ne podpira ključev za dostop. Izberite drug način ali drug brskalnik.',
  'passkey.already_added': 'Ta naprava že ima ključ za dostop do vašega računa.',
  'passkey.no_lock':
    'Ta naprava nima nastavljenega zaklepa zaslona ali prstnega odtisa. Najprej ga nastavite ali uporabite drugo napravo.',
  'passkey.wrong_site': 'Na tem naslovu ključi za dostop ne delujejo. Obvestite upravljavca storitve.',
  'passkey.failed': 'Naprava ni mogla uporabiti ključa za dostop. Poskusite znova ali drugače.',
}
