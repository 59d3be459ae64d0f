import type { home as english } from '../en-US/home.ts'

export const home: Record<keyof typeof english, string> = {
  hello: '{name, select, none {Pozdrav} other {Pozdrav, {name}}}',
  text: 'Upravljajte podacima, privatnošću i sigurnošću.',
  'invitations.title': 'Pozivnice za vas',
  'invitations.from': '{name, select, none {Razina: {level}} other {Šalje {name}, razina: {level}}}',
  'check.title': 'Sigurnosna provjera',
  'check.attention':
    '{count, plural, one {# stvar zahtijeva vašu pozornost.} few {# stvari zahtijevaju vašu pozornost.} other {# stvari zahtijeva vašu pozornost.}}',
  'check.fine': 'Ništa ne zahtijeva vašu pozornost.',
  'check.failed': 'Uređaje i aplikacije nije bilo moguće provjeriti.',
  'check.review': 'Pregledaj',
  'check.needed': 'Zahtijeva vašu pozornost',
  'review.done': 'Obavljeno',
  'review.next': 'Dalje',
  'review.finish': 'Završi',
  'review.finished': 'Sigurnosna provjera je završena.',
  'review.end': 'Završi sigurnosnu provjeru',
  'check.email': 'Vaša e-\u2060adresa nije potvrđena',
  'check.pending': 'Adresa {email} čeka potvrdu',
  'check.confirm': 'Potvrdi',
  'check.password_alone': 'Vaš račun štiti samo lozinka',
  'check.password_alone_text': 'Uključite prijavu u dva koraka',
  'check.two_factor': 'Uključite prijavu u dva koraka',
  'check.two_factor_text': 'Za prijave lozinkom',
  'check.passkey': 'Dodajte pristupni ključ',
  'check.passkey_text': 'Prijava otiskom prsta ili zaključavanjem zaslona',
  'check.codes':
    '{count, plural, =0 {Nema više pričuvnih kodova} one {Preostao je samo # pričuvni kod} few {Preostala su samo # pričuvna koda} other {Preostalo je samo # pričuvnih kodova}}',
  'check.unknown':
    '{count, plural, =1 {Prepoznajete li ovaj novi uređaj?} one {Prepoznajete li # novi uređaj?} few {Prepoznajete li # nova uređaja?} other {Prepoznajete li # novih uređaja?}}',
  'check.devices':
    '{count, plural, one {# uređaj nije korišten već dva tjedna} few {# uređaja nisu korištena već dva tjedna} other {# uređaja nije korišteno već dva tjedna}}',
  'check.apps':
    '{count, plural, one {# aplikacija nije korištena već pola godine} few {# aplikacije nisu korištene već pola godine} other {# aplikacija nije korišteno već pola godine}}',
  'check.password': 'Lozinka',
  'check.password_age': 'Zadnja promjena: {when}',
  'check.password_never': 'Nepromijenjena otkad je račun otvoren',
  'undone.title': 'Brisanje računa je otkazano',
  'undone.text': 'Vaš račun neće biti izbrisan. Aplikacije će od vas ponovno tražiti dopuštenje.',
  'tile.privacy': '{ads, select, on {Prilagođeni oglasi: uključeni} other {Prilagođeni oglasi: isključeni}}',
  'tile.apps':
    '{count, plural, =0 {Nijedna aplikacija nema pristup} one {Pristup ima # aplikacija} few {Pristup imaju # aplikacije} other {Pristup ima # aplikacija}}',
  'tile.apps_unknown': 'Aplikacije kojima ste dopustili pristup',
  'activity.title': 'Nedavna aktivnost',
  'activity.empty': 'Još nema ničega. Ovdje će se prikazivati aktivnost vašeg računa.',
  'activity.failed': 'Aktivnost nije bilo moguće učitati.',
  'developers.title': 'Vaši računi za programere',
  'developers.invite': 'Razvijate aplikacije?',
  'developers.invite_text': 'Omogućite prijavu u svoju aplikaciju računom Vrata. Besplatno je.',
  'developers.open': 'Saznajte više',
}
