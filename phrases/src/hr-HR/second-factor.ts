import type { secondFactor as english } from '../en-US/second-factor.ts'

export const secondFactor: Record<keyof typeof english, string> = {
  'reauthenticate.title': 'Potvrdite da ste to vi',
  'reauthenticate.text': 'Prijavljeni ste kao {email}. Za ovu promjenu upišite lozinku.',
  'reauthenticate.do': 'Potvrdi',
  code: 'Kod',
  code_hint: 'Šest znamenki iz aplikacije za provjeru autentičnosti.',
  code_invalid: 'Upišite svih šest znamenki.',
  backup: 'Pričuvni kod',
  backup_hint: 'Jedan od deset spremljenih kodova. Svaki vrijedi jednom.',
  use_backup: 'Upotrijebi pričuvni kod',
  use_code: 'Upotrijebi kod',
  use_app: 'Upotrijebi kod iz aplikacije za provjeru autentičnosti',
  use_passkey: 'Upotrijebi pristupni ključ',
  use_password: 'Upotrijebi lozinku',
  'step.title': 'Upišite kod',
  'step.text': 'Za ovaj je račun uključena prijava u dva koraka.',
  'step.do': 'Nastavi',
  passkey_text: 'Preglednik će tražiti otisak prsta, lice ili zaključavanje zaslona.',
  passkey_do: 'Upotrijebi pristupni ključ',
  'passkey.cancelled': 'Pristupni ključ nije odabran ili je trajalo predugo. Pokušajte ponovno.',
  'passkey.unsupported':
    'Ovaj preglednik ne podržava pristupne ključeve. Prijavite se drukčije ili upotrijebite drugi preglednik.',
  'passkey.already_added': 'Ovaj uređaj već ima pristupni ključ za vaš račun.',
  'passkey.no_lock':
    'Ovaj uređaj nema postavljeno zaključavanje zaslona ni otisak prsta. Najprije ga postavite ili upotrijebite drugi uređaj.',
  'passkey.wrong_site': 'Pristupni ključevi ne rade na ovoj adresi. Obavijestite administratora usluge.',
  'passkey.failed': 'Uređaj nije mogao upotrijebiti pristupni ključ. Pokušajte ponovno ili odaberite drugi način.',
}
