import type { home as english } from '../en-US/home.ts'

export const home: Record<keyof typeof english, string> = {
  hello: '{name, select, none {Pozdravljeni} other {Pozdravljeni, {name}}}',
  text: 'Vse o vašem računu, za enimi vrati.',
  'invitations.title': 'Povabila, ki vas čakajo',
  'invitations.from': '{name, select, none {Raven: {level}} other {Pošilja {name}, raven: {level}}}',
  'check.title': 'Varnostni pregled',
  'check.attention':
    '{count, plural, one {# stvar potrebuje vašo pozornost.} two {# stvari potrebujeta vašo pozornost.} few {# stvari potrebujejo vašo pozornost.} other {# stvari potrebuje vašo pozornost.}}',
  'check.fine': 'Nič ne potrebuje vaše pozornosti.',
  'check.review': 'Preglej',
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
    '{count, plural, =1 {Poznate to novo napravo?} one {Poznate # novo napravo?} two {Poznate # novi napravi?} few {Poznate # nove naprave?} other {Poznate # novih naprav?}}',
  'check.devices':
    '{count, plural, one {# prijava že dva tedna ni bila uporabljena} two {# prijavi že dva tedna nista bili uporabljeni} few {# prijave že dva tedna niso bile uporabljene} other {# prijav že dva tedna ni bilo uporabljenih}}',
  'check.apps':
    '{count, plural, one {# aplikacija že pol leta ni bila uporabljena} two {# aplikaciji že pol leta nista bili uporabljeni} few {# aplikacije že pol leta niso bile uporabljene} other {# aplikacij že pol leta ni bilo uporabljenih}}',
  'check.password': 'Geslo',
  'check.password_age': 'Zadnja sprememba: {when}',
  'check.password_never': 'Nespremenjeno, odkar je račun ustvarjen',
  'undone.title': 'Izbris je preklican',
  'undone.text': 'Vaš račun ostane. Aplikacije vas bodo znova prosile za dovoljenje.',
  'tile.info': 'Ime, slika, jezik',
  'tile.privacy': 'Dejavnost in podatki',
  'tile.apps':
    '{count, plural, =0 {Dostopa nima nobena aplikacija} one {Dostop ima # aplikacija} two {Dostop imata # aplikaciji} few {Dostop imajo # aplikacije} other {Dostop ima # aplikacij}}',
  'tile.apps_unknown': 'Aplikacije, ki ste jim dovolili dostop',
  'activity.title': 'Nedavna dejavnost',
  'activity.empty': 'Tukaj še ni ničesar. Kar se bo dogajalo z vašim računom, bo našteto tukaj.',
  'activity.failed': 'Dejavnosti ni bilo mogoče naložiti.',
  'developers.title': 'Vaši razvijalski računi',
  'developers.invite': 'Razvijate aplikacije?',
  'developers.invite_text': 'Naj se ljudje v vašo aplikacijo prijavljajo s svojim računom Vrata. Brezplačno je.',
  'developers.open': 'Poglejte, kako',
}
