import type { mail as english } from '../en-US/mail.ts'

export const mail: Record<keyof typeof english, string> = {
  greeting: '{name, select, none {Pozdravljeni,} other {Pozdravljeni, {name},}}',
  'link.hint': 'Če gumb ne deluje, odprite ta naslov v brskalniku:',
  footer: 'Sporočilo pošiljajo Vrata na naslovu {host}, ker tam obstaja račun s tem e-naslovom.',
  'footer.invited': 'Sporočilo pošiljajo Vrata na naslovu {host}, ker je tam nekdo povabil ta e-naslov.',

  'confirm_email.subject': 'Potrdite svoj e-naslov',
  'confirm_email.text': 'potrdite, da je ta e-naslov vaš. Povezava deluje 24 ur.',
  'confirm_email.action': 'Potrdi e-naslov',
  'confirm_email.note': 'Če to niste bili vi, sporočilo prezrite. Brez potrditve se ne zgodi nič.',

  'reset_password.subject': 'Izberite novo geslo',
  'reset_password.text': 'zaprosili ste za novo geslo. Povezava deluje enkrat in 30 minut.',
  'reset_password.action': 'Izberi geslo',
  'reset_password.note': 'Če to niste bili vi, sporočilo prezrite. Vaše geslo ostane, kakršno je.',

  'password_changed.subject': 'Vaše geslo je bilo spremenjeno',
  'password_changed.text': 'geslo vašega računa Vrata je bilo spremenjeno ({when}). Druge naprave so odjavljene.',
  'password_changed.action': 'Te spremembe ne poznam',
  'password_changed.note': 'Če ste to bili vi, vam ni treba storiti ničesar.',

  'email_changed.subject': 'E-naslov vašega računa je bil spremenjen',
  'email_changed.text': 'vaš račun Vrata zdaj uporablja e-naslov {new_email}. Sporočila ne prihajajo več sem.',
  'email_changed.action': 'Te spremembe ne poznam',
  'email_changed.note': 'Če ste to bili vi, vam ni treba storiti ničesar.',

  'new_device.subject': 'Prijava z nove naprave',
  'new_device.text':
    'v vaš račun Vrata se je prvič prijavila naprava {device} ({when}{place, select, none {} other {, {place}}}).',
  'new_device.action': 'To nisem jaz',
  'new_device.note': 'Če ste bili to vi, vam ni treba storiti ničesar. Sicer to napravo odjavite in spremenite geslo.',

  'qr_sign_in.subject': 'Naprava, prijavljena s kodo QR',
  'qr_sign_in.text':
    'naprava {device} je prijavljena v vaš račun Vrata, ker je bila koda QR na njenem zaslonu odobrena na vašem telefonu ({when}{place, select, none {} other {, {place}}}).',
  'qr_sign_in.action': 'To nisem jaz',
  'qr_sign_in.note':
    'Če ste pred tistim zaslonom sedeli vi, vam ni treba storiti ničesar. Sicer to napravo takoj odjavite in spremenite geslo.',

  'otp_on.subject': 'Prijava v dveh korakih je vklopljena',
  'otp_on.text': 'vaš račun Vrata odslej po geslu zahteva še kodo (od {when}).',
  'otp_on.action': 'Te spremembe ne poznam',
  'otp_on.note': 'Če ste to bili vi, vam ni treba storiti ničesar. Rezervne kode hranite na varnem.',

  'otp_off.subject': 'Prijava v dveh korakih je izklopljena',
  'otp_off.text': 'vaš račun Vrata po geslu ne zahteva več kode (od {when}).',
  'otp_off.action': 'Te spremembe ne poznam',
  'otp_off.note': 'Če ste to bili vi, vam ni treba storiti ničesar.',

  'data_ready.subject': 'Vaš arhiv je pripravljen',
  'data_ready.text': 'arhiv vaših podatkov lahko prevzamete do {when}. Nato bo izbrisan.',
  'data_ready.action': 'Prevzemi arhiv',
  'data_ready.note': 'V njem so osebni podatki. Hranite ga tam, kjer ga ne bere nihče drug.',

  'deletion_begun.subject': 'Vaš račun bo izbrisan',
  'deletion_begun.text':
    'vaš račun Vrata bo dokončno izbrisan ({when}). Povsod ste odjavljeni in aplikacije nimajo več dostopa.',
  'deletion_begun.action': 'Obdrži račun',
  'deletion_begun.note': 'Če to želite, vam ni treba storiti ničesar. Če se prej prijavite, račun ostane.',

  'deletion_undone.subject': 'Vaš račun ostane',
  'deletion_undone.text':
    'prijavili ste se, zato vaš račun Vrata ne bo izbrisan. Aplikacije vas bodo znova prosile za dostop.',
  'deletion_undone.action': 'Odpri račun',
  'deletion_undone.note': 'Če želite račun izbrisati, to zahtevajte znova.',

  'invitation.subject': 'Povabljeni ste v organizacijo',
  'invitation.text': '{inviter} vas vabi v organizacijo {organization}. Povabilo velja do {when}.',
  'invitation.action': 'Poglej povabilo',
  'invitation.note': 'Če tega človeka ne poznate, sporočilo prezrite.',

  'otp_failed.subject': 'Napačne kode ob prijavi v vaš račun',
  'otp_failed.text':
    'nekdo je pri prijavi v dveh korakih v vaš račun Vrata večkrat vpisal napačno kodo ({when}). V račun ni prišel.',
  'otp_failed.action': 'Spremeni geslo',
  'otp_failed.note':
    'Če ste to bili vi, vam ni treba storiti ničesar. Sicer vaše geslo pozna še kdo: takoj izberite novo.',

  'recovery_codes_renewed.subject': 'Nove rezervne kode vašega računa',
  'recovery_codes_renewed.text':
    'za vaš račun Vrata so bile ustvarjene nove rezervne kode ({when}). Stare ne veljajo več.',
  'recovery_codes_renewed.action': 'Te spremembe ne poznam',
  'recovery_codes_renewed.note': 'Če ste to bili vi, vam ni treba storiti ničesar.',

  'passkey_added.subject': 'Vaš račun ima nov ključ za dostop',
  'passkey_added.text': 'vaš račun Vrata odslej brez gesla odpira tudi nov ključ za dostop ({when}).',
  'passkey_added.action': 'Te spremembe ne poznam',
  'passkey_added.note': 'Če ste to bili vi, vam ni treba storiti ničesar.',

  'passkey_removed.subject': 'Ključ za dostop do vašega računa je odstranjen',
  'passkey_removed.text':
    'eden od ključev za dostop do vašega računa Vrata je odstranjen in ga ne odpira več ({when}).',
  'passkey_removed.action': 'Te spremembe ne poznam',
  'passkey_removed.note': 'Če ste to bili vi, vam ni treba storiti ničesar.',
}
