import type { newPassword as english } from '../en-US/new-password.ts'

export const newPassword: Record<keyof typeof english, string> = {
  title: 'Postavljanje nove lozinke',
  text: 'Za vaš račun Vrata.',
  for: 'Za račun {email}',
  do: 'Spremi lozinku',
  code: 'Kod iz aplikacije za provjeru autentičnosti ili pričuvni kod',
  code_hint: 'Za ovaj je račun uključena prijava u dva koraka.',
  code_if_on: 'Samo ako je za ovaj račun uključena prijava u dva koraka.',
  done: 'Lozinka je promijenjena. Prijavite se novom.',
  bad_text:
    'Poveznice vrijede 30 minuta i mogu se upotrijebiti samo jednom. Ako ste novu lozinku već spremili, prijavite se njome.',
  maybe: 'Nova je lozinka možda već spremljena',
  maybe_text:
    'Na jedan od pokušaja nije stigao odgovor, a poveznica više ne vrijedi. Pokušajte se prijaviti novom lozinkom. Ako ne uspijete, zatražite novu poveznicu.',
  new_link: 'Pošalji novu poveznicu',
  'change.title': 'Promjena lozinke',
  'change.text': 'Svi drugi uređaji bit će odjavljeni.',
  'change.do': 'Spremi lozinku',
  'change.done': 'Lozinka je promijenjena. Drugi su uređaji odjavljeni.',
  'meter.repeats': 'uzorak se ponavlja',
  'meter.run': 'znakovi slijede jednostavan niz',
  'meter.address': 'to je vaša e-\u2060adresa',
  'meter.own': 'sadrži vaše ime, e-\u2060adresu ili riječ Vrata',
  'meter.plain': 'premalo različitih znakova',
  'meter.common': 'među najčešćim je lozinkama',
  'meter.words': 'česte je riječi lako pogoditi',
}
