import type { proof as english } from '../en-US/proof.ts'

export const proof: Record<keyof typeof english, string> = {
  'prove.title': 'Potvrdite da ste to vi',
  'prove.text': 'Prijavljeni ste kao {email}. Prije takve promjene pitamo vas za lozinku.',
  'prove.do': 'Potvrdi',
  code: 'Kod',
  code_hint: 'Šest znamenki iz aplikacije za provjeru autentičnosti.',
  code_invalid: 'Upišite svih šest znamenki.',
  backup: 'Pričuvni kod',
  backup_hint: 'Jedan od deset spremljenih kodova. Radi jednom.',
  use_backup: 'Upotrijebi pričuvni kod',
  use_code: 'Upotrijebi kod',
  use_app: 'Upotrijebi kod iz aplikacije',
  use_passkey: 'Upotrijebi pristupni ključ',
  use_password: 'Upotrijebi lozinku',
  'step.title': 'Upišite kod',
  'step.text': 'Za ovaj je račun uključena prijava u dva koraka.',
  'step.do': 'Nastavi',
  passkey_text: 'Preglednik će tražiti otisak prsta, lice ili zaključavanje zaslona.',
  passkey_do: 'Upotrijebi pristupni ključ',
  'passkey.cancelled': 'Ništa nije odabrano ili je trajalo predugo. Pokušajte ponovno.',
  'passkey.unsupported': 'Ovaj preglednik ne podržava pristupne ključeve. Odaberite drugi način ili drugi preglednik.',
  'passkey.already_added': 'Ovaj uređaj već ima pristupni ključ za vaš račun.',
  'passkey.no_lock':
    'Ovaj uređaj nema postavljeno zaključavanje zaslona ni otisak prsta. Najprije ga postavite ili upotrijebite drugi uređaj.',
  'passkey.wrong_site': 'Na ovoj adresi pristupni ključevi ne rade. Obavijestite onoga tko vodi uslugu.',
  'passkey.failed': 'Uređaj nije mogao upotrijebiti pristupni ključ. Pokušajte ponovno ili drukčije.',
}
