import type { home as english } from '../en-US/home.ts'

export const home: Record<keyof typeof english, string> = {
  hello: '{name, select, none {Pozdravljeni} other {Pozdravljeni, {name}}}',
  text: 'Upravljajte podatke, zasebnost in varnost.',
  'invitations.title': 'Povabila za vas',
  'invitations.from': '{name, select, none {Raven: {level}} other {Pošilja {name}, raven: {level}}}',
  'check.title': 'Varnostni pregled',
  'check.attention':
    '{count, plural, one {# stvar potrebuje vašo pozornost.} two {# stvari potrebujeta vašo pozornost.} few {# stvari potrebujejo vašo pozornost.} other {# stvari potrebuje vašo pozornost.}}',
  'check.fine': 'Nič ne potrebuje vaše pozornosti.',
  'check.failed': 'Naprav in aplikacij ni bilo mogoče preveriti.',
  'check.review': 'Preglej',
  'check.needed': 'Potrebuje vašo pozornost',
  'review.done': 'Opravljeno',
  'review.next': 'Naprej',
  'review.finish': 'Končaj',
  'review.finished': 'Varnostni pregled je končan.',
  'review.end': 'Končaj varnostni pregled',
  'check.email': 'Vaš e-\u2060naslov ni potrjen',
  'check.pending': 'Naslov {email} čaka na potrditev',
  'check.confirm': 'Potrdi',
  'check.password_alone': 'Vaš račun varuje samo geslo',
  'check.password_alone_text': 'Vklopite prijavo v dveh korakih',
  'check.two_factor': 'Vklopite prijavo v dveh korakih',
  'check.two_factor_text': 'Za prijave z geslom',
  'check.passkey': 'Dodajte ključ za dostop',
  'check.passkey_text': 'Prijava s prstnim odtisom ali zaklepom zaslona',
  'check.codes':
    '{count, plural, =0 {Rezervnih kod ni več} one {Na voljo je samo še # rezervna koda} two {Na voljo sta samo še # rezervni kodi} few {Na voljo so samo še # rezervne kode} other {Na voljo je samo še # rezervnih kod}}',
  'check.unknown':
    '{count, plural, =1 {Prepoznate to novo napravo?} one {Prepoznate # novo napravo?} two {Prepoznate # novi napravi?} few {Prepoznate # nove naprave?} other {Prepoznate # novih naprav?}}',
  'check.devices':
    '{count, plural, one {# naprava že dva tedna ni bila v uporabi} two {# napravi že dva tedna nista bili v uporabi} few {# naprave že dva tedna niso bile v uporabi} other {# naprav že dva tedna ni bilo v uporabi}}',
  'check.apps':
    '{count, plural, one {# aplikacija že pol leta ni bila v uporabi} two {# aplikaciji že pol leta nista bili v uporabi} few {# aplikacije že pol leta niso bile v uporabi} other {# aplikacij že pol leta ni bilo v uporabi}}',
  'check.password': 'Geslo',
  'check.password_age': 'Zadnja sprememba: {when}',
  'check.password_never': 'Nespremenjeno od nastanka računa',
  'undone.title': 'Izbris računa je preklican',
  'undone.text': 'Vaš račun ne bo izbrisan. Aplikacije vas bodo znova prosile za dovoljenje.',
  'tile.privacy': '{ads, select, on {Prilagojeni oglasi: vklopljeni} other {Prilagojeni oglasi: izklopljeni}}',
  'tile.apps':
    '{count, plural, =0 {Dostopa nima nobena aplikacija} one {Dostop ima # aplikacija} two {Dostop imata # aplikaciji} few {Dostop imajo # aplikacije} other {Dostop ima # aplikacij}}',
  'tile.apps_unknown': 'Aplikacije, ki ste jim dovolili dostop',
  'activity.title': 'Nedavna dejavnost',
  'activity.empty': 'Ničesar še ni. Tukaj bo prikazana dejavnost vašega računa.',
  'activity.failed': 'Dejavnosti ni bilo mogoče naložiti.',
  'developers.title': 'Vaši razvijalski računi',
  'developers.invite': 'Razvijate aplikacije?',
  'developers.invite_text': 'Omogočite prijavo v svojo aplikacijo z računom Vrata. Brezplačno je.',
  'developers.open': 'Več o tem',
}
