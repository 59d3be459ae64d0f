import type { mail as english } from '../en-US/mail.ts'

export const mail: Record<keyof typeof english, string> = {
  greeting: '{name, select, none {Pozdravljeni,} other {Pozdravljeni, {name},}}',
  'link.hint': 'Če gumb ne deluje, odprite ta naslov v brskalniku:',
  footer: 'Sporočilo pošilja storitev Vrata na naslovu {host}, ker tam obstaja račun s tem e-naslovom.',
  'footer.invited': 'Sporočilo pošilja storitev Vrata na naslovu {host}, ker je tam nekdo povabil ta e-naslov.',

  'facts.at': 'Kdaj: {at}',
  'facts.requested': 'Zahtevano: {at}',
  'facts.device': 'Naprava: {device}',
  'facts.place': 'Lokacija: {place}',

  'confirm_email.subject': 'Potrdite svoj e-naslov',
  'confirm_email.text': 'potrdite, da je ta e-naslov vaš. Povezava deluje 24 ur.',
  'confirm_email.action': 'Potrdi e-naslov',
  'confirm_email.note': 'Če to niste bili vi, sporočilo prezrite. Brez potrditve se ne bo nič spremenilo.',

  'email_in_use.subject': 'Vaš e-naslov je bil vpisan za drug račun',
  'email_in_use.text':
    'nekdo je ta e-naslov vpisal za drug račun Vrata. Naslov ostaja pri vašem računu in nič se ni spremenilo.',
  'email_in_use.action': 'Odpri račun',
  'email_in_use.note':
    'Če ste bili to vi: ta naslov že ima račun. Prijavite se vanj ali za drugi račun uporabite drug naslov.',

  'reset_password.subject': 'Izberite novo geslo',
  'reset_password.text': 'prejeli smo zahtevo za novo geslo. Povezava velja 30 minut in deluje samo enkrat.',
  'reset_password.action': 'Izberi geslo',
  'reset_password.note': 'Če to niste bili vi, sporočilo prezrite. Vaše geslo ostane enako.',

  'password_changed.subject': 'Vaše geslo je bilo spremenjeno',
  'password_changed.text': 'geslo vašega računa Vrata je bilo spremenjeno. Druge naprave so odjavljene.',
  'password_changed.action': 'Te spremembe ne prepoznam',
  'password_changed.note': 'Če ste to bili vi, vam ni treba storiti ničesar.',

  'email_changed.subject': 'E-naslov vašega računa je bil spremenjen',
  'email_changed.text':
    'vaš račun Vrata zdaj uporablja e-naslov {new_email}. Na ta naslov ne bomo več pošiljali sporočil.',
  'email_changed.action': 'Te spremembe ne prepoznam',
  'email_changed.note': 'Če ste to bili vi, vam ni treba storiti ničesar.',

  'new_device.subject': 'Prijava z nove naprave',
  'new_device.text': 'v vaš račun Vrata se je prvič prijavila naprava {device}.',
  'new_device.action': 'To nisem jaz',
  'new_device.note': 'Če ste to bili vi, vam ni treba storiti ničesar. Sicer to napravo odjavite in spremenite geslo.',

  'qr_sign_in.subject': 'Prijava naprave s kodo QR',
  'qr_sign_in.text':
    'naprava {device} je prijavljena v vaš račun Vrata, ker je bila koda QR na njenem zaslonu odobrena na vašem telefonu.',
  'qr_sign_in.action': 'To nisem jaz',
  'qr_sign_in.note':
    'Če ste bili pred tistim zaslonom vi, vam ni treba storiti ničesar. Sicer to napravo takoj odjavite in spremenite geslo.',

  'otp_on.subject': 'Prijava v dveh korakih je vklopljena',
  'otp_on.text': 'vaš račun Vrata odslej po geslu zahteva še kodo.',
  'otp_on.action': 'Te spremembe ne prepoznam',
  'otp_on.note': 'Če ste to bili vi, vam ni treba storiti ničesar. Rezervne kode hranite na varnem.',

  'otp_off.subject': 'Prijava v dveh korakih je izklopljena',
  'otp_off.text': 'vaš račun Vrata po geslu ne zahteva več kode.',
  'otp_off.action': 'Te spremembe ne prepoznam',
  'otp_off.note': 'Če ste to bili vi, vam ni treba storiti ničesar.',

  'factor_reset.subject': 'Vaš drugi korak in ključi za dostop bodo odstranjeni',
  'factor_reset.text':
    'upravljavec je dobil prošnjo, naj z vašega računa Vrata odstrani prijavo v dveh korakih in vse ključe za dostop, ker se ne morete prijaviti. To se bo zgodilo čez 24 ur.',
  'factor_reset.action': 'Ustavi',
  'factor_reset.note':
    'Če ste prosili za pomoč, vam ni treba storiti ničesar. Sicer to ustavite zdaj: nekdo morda skuša priti v vaš račun.',

  'factors_reset.subject': 'Vaš drugi korak in ključi za dostop so odstranjeni',
  'factors_reset.text':
    'upravljavec je z vašega računa Vrata odstranil prijavo v dveh korakih in vse ključe za dostop. Povsod ste odjavljeni; prijavite se z geslom in jih nastavite na novo.',
  'factors_reset.action': 'Nastavi na novo',
  'factors_reset.note': 'Če niste prosili za pomoč, takoj spremenite geslo in to sporočite upravljavcu namestitve.',

  'new_passkey.subject': 'Nastavite nov ključ za dostop',
  'new_passkey.text':
    'upravljavec je dobil prošnjo, naj vam pomaga pri prijavi. Vaš račun Vrata zdaj nima niti ključa za dostop niti prijave v dveh korakih. S to povezavo nastavite nov ključ za dostop in se prijavite. Deluje enkrat, 24 ur.',
  'new_passkey.action': 'Nastavi ključ za dostop',
  'new_passkey.note':
    'Če niste prosili za pomoč, nastavite ključ za dostop, preden to sporočilo prebere kdo drug, in to sporočite upravljavcu namestitve.',

  'app_request.subject': 'Aplikacija prosi, da potrdite prijavo',
  'app_request.text':
    'aplikacija {app} prosi, da potrdite prijavo z računom Vrata. Povezava odpre zahtevo, ki jo lahko dovolite ali zavrnete. Deluje enkrat in velja največ deset minut.',
  'app_request.action': 'Preglej zahtevo',
  'app_request.note':
    'Če tega ne pričakujete, zahtevo zavrnite ali sporočilo prezrite. Brez vašega odgovora se ne zgodi nič.',

  'data_ready.subject': 'Vaš arhiv je pripravljen',
  'data_ready.text': 'arhiv svojih podatkov lahko prenesete do {when}. Nato bo izbrisan.',
  'data_ready.action': 'Prenesi arhiv',
  'data_ready.note': 'V njem so osebni podatki. Hranite ga tam, kjer ga ne more brati nihče drug.',

  'deletion_begun.subject': 'Vaš račun bo izbrisan',
  'deletion_begun.text':
    'vaš račun Vrata bo trajno izbrisan {when}. Povsod ste odjavljeni in aplikacije nimajo več dostopa.',
  'deletion_begun.action': 'Obdrži račun',
  'deletion_begun.note':
    'Če to želite, vam ni treba storiti ničesar. Če želite račun obdržati, se prijavite pred tem dnem. Če to niste bili vi, spremenite tudi geslo.',

  'deletion_undone.subject': 'Vaš račun ne bo izbrisan',
  'deletion_undone.text':
    'prijavili ste se, zato vaš račun Vrata ne bo izbrisan. Aplikacije vas bodo znova prosile za dostop.',
  'deletion_undone.action': 'Odpri račun',
  'deletion_undone.note': 'Če račun še vedno želite izbrisati, to zahtevajte znova.',

  'test.subject': 'Preskusno sporočilo',
  'test.text': 'e-pošta te namestitve prihaja na ta naslov.',
  'test.action': 'Odpri upravljanje',
  'test.note': 'To sporočilo je zahteval upravljavec te namestitve.',
  'account_invitation.subject': 'Čaka vas račun',
  'account_invitation.text':
    'za ta e-naslov je bil ustvarjen račun. Za uporabo izberite geslo ali ključ za dostop. Povezava deluje samo enkrat in velja do {when}.',
  'account_invitation.action': 'Nastavi račun',
  'account_invitation.note': 'Če računa ne želite, to sporočilo prezrite. Račun bo izbrisan.',

  'deletion_by_operator.subject': 'Vaš račun bo izbrisan',
  'deletion_by_operator.text':
    'vaš račun Vrata bo {when} trajno izbrisan, ker je to zahteval upravljavec. Povsod ste odjavljeni, aplikacije pa nimajo več dostopa.',
  'deletion_by_operator.action': 'Obdrži račun',
  'deletion_by_operator.note': 'Če želite račun obdržati, se prijavite pred tem dnem.',

  'restored_by_operator.subject': 'Vaš račun ne bo izbrisan',
  'restored_by_operator.text':
    'upravljavec je preklical izbris vašega računa Vrata. Aplikacije vas bodo znova prosile za dostop.',
  'restored_by_operator.action': 'Prijavi me',
  'restored_by_operator.note': 'Če želite račun še vedno izbrisati, to zahtevajte znova.',
  'organization_approved.subject': 'Vaša organizacija je odobrena',
  'organization_approved.text':
    'upravljavec je odobril organizacijo {organization}. Zdaj lahko registrirate aplikacije in vabite člane.',
  'organization_approved.action': 'Odpri organizacijo',
  'organization_approved.note':
    'To sporočilo ste prejeli, ker ste zaprosili za odobritev ali ste lastnik organizacije.',
  'organization_rejected.subject': 'Vaša organizacija ni odobrena',
  'organization_rejected.text':
    'upravljavec se je odločil, da organizacije {organization} ne odobri. Njene aplikacije ne delujejo in novih članov ne more imeti.{reason, select, none {} other { Navedeni razlog: {reason}}}',
  'organization_rejected.action': 'Odpri organizacijo',
  'organization_rejected.note':
    'Organizacija ostane, kakršna je. Njene podatke lahko spremenite in znova zaprosite za odobritev ali pa jo izbrišete.',
  'app_approved.subject': 'Vaša aplikacija je odobrena',
  'app_approved.text': 'upravljavec je odobril aplikacijo {app}. Zdaj se lahko ljudje vanjo prijavljajo.',
  'app_approved.action': 'Odpri aplikacijo',
  'app_approved.note': 'To sporočilo ste prejeli, ker ste zaprosili za odobritev ali ste lastnik organizacije.',
  'app_rejected.subject': 'Vaša aplikacija ni odobrena',
  'app_rejected.text':
    'upravljavec se je odločil, da aplikacije {app} ne odobri. Vanjo se ni mogoče prijaviti.{reason, select, none {} other { Navedeni razlog: {reason}}}',
  'app_rejected.action': 'Odpri aplikacijo',
  'app_rejected.note':
    'Aplikacija ostane, kakršna je. Lahko jo spremenite in znova zaprosite za odobritev ali pa jo izbrišete.',

  'invitation.subject': 'Povabljeni ste v organizacijo',
  'invitation.text': '{inviter} vas vabi v organizacijo {organization}. Povabilo velja do {when}.',
  'invitation.action': 'Odpri povabilo',
  'invitation.note': 'Če te osebe ne poznate, sporočilo prezrite.',

  'otp_failed.subject': 'Neuspeli poskusi prijave v vaš račun',
  'otp_failed.text':
    'nekdo je pri prijavi v dveh korakih v vaš račun Vrata večkrat vpisal napačno kodo. V račun se mu ni uspelo prijaviti.',
  'otp_failed.action': 'Spremeni geslo',
  'otp_failed.note':
    'Če ste to bili vi, vam ni treba storiti ničesar. Sicer vaše geslo pozna še nekdo: takoj izberite novo.',

  'recovery_codes_renewed.subject': 'Nove rezervne kode za vaš račun',
  'recovery_codes_renewed.text': 'za vaš račun Vrata so bile ustvarjene nove rezervne kode. Stare ne delujejo več.',
  'recovery_codes_renewed.action': 'Te spremembe ne prepoznam',
  'recovery_codes_renewed.note': 'Če ste to bili vi, vam ni treba storiti ničesar.',

  'passkey_added.subject': 'Vašemu računu je dodan ključ za dostop',
  'passkey_added.text': 'v vaš račun Vrata se je odslej mogoče prijaviti tudi z novim ključem za dostop, brez gesla.',
  'passkey_added.action': 'Te spremembe ne prepoznam',
  'passkey_added.note': 'Če ste to bili vi, vam ni treba storiti ničesar.',

  'passkey_removed.subject': 'Iz vašega računa je odstranjen ključ za dostop',
  'passkey_removed.text': 'iz vašega računa Vrata je odstranjen ključ za dostop; prijava z njim ni več mogoča.',
  'passkey_removed.action': 'Te spremembe ne prepoznam',
  'passkey_removed.note': 'Če ste to bili vi, vam ni treba storiti ničesar.',
}
