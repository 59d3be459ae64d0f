import type { home as english } from '../en-US/home.ts'

export const home: Record<keyof typeof english, string> = {
  hello: '{name, select, none {Pozdrav} other {Pozdrav, {name}}}',
  text: 'Sve o vašem računu, iza jednih vrata.',
  'invitations.title': 'Pozivnice koje vas čekaju',
  'invitations.from': '{name, select, none {Razina: {level}} other {Šalje {name}, razina: {level}}}',
  'check.title': 'Sigurnosna provjera',
  'check.attention':
    '{count, plural, one {# stvar zahtijeva vašu pozornost.} few {# stvari zahtijevaju vašu pozornost.} other {# stvari zahtijeva vašu pozornost.}}',
  'check.fine': 'Ništa ne zahtijeva vašu pozornost.',
  'check.review': 'Pregledaj',
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
    '{count, plural, =1 {Poznajete li ovaj novi uređaj?} one {Poznajete li # novi uređaj?} few {Poznajete li # nova uređaja?} other {Poznajete li # novih uređaja?}}',
  'check.devices':
    '{count, plural, one {# prijava nije korištena dva tjedna} few {# prijave nisu korištene dva tjedna} other {# prijava nije korišteno dva tjedna}}',
  'check.apps':
    '{count, plural, one {# aplikacija nije korištena pola godine} few {# aplikacije nisu korištene pola godine} other {# aplikacija nije korišteno pola godine}}',
  'check.password': 'Lozinka',
  'check.password_age': 'Zadnja promjena: {when}',
  'check.password_never': 'Nepromijenjena otkad je račun otvoren',
  'undone.title': 'Brisanje je poništeno',
  'undone.text': 'Vaš račun ostaje. Aplikacije će vas ponovno tražiti dopuštenje.',
  'tile.info': 'Ime, slika, jezik',
  'tile.privacy': 'Aktivnost i podaci',
  'tile.apps':
    '{count, plural, =0 {Nijedna aplikacija nema pristup} one {Pristup ima # aplikacija} few {Pristup imaju # aplikacije} other {Pristup ima # aplikacija}}',
  'tile.apps_unknown': 'Aplikacije kojima ste dopustili pristup',
  'activity.title': 'Nedavna aktivnost',
  'activity.empty': 'Ovdje još nema ničega. Ovdje će biti navedeno što se događa s vašim računom.',
  'activity.failed': 'Aktivnost nije bilo moguće učitati.',
  'developers.title': 'Vaši razvojni računi',
  'developers.invite': 'Razvijate aplikacije?',
  'developers.invite_text': 'Neka se ljudi u vašu aplikaciju prijavljuju svojim računom Vrata. Besplatno je.',
  'developers.open': 'Pogledajte kako',
}
