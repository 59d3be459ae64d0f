import type { mail as english } from '../en-US/mail.ts'

export const mail: Record<keyof typeof english, string> = {
  greeting: '{name, select, none {Pozdrav,} other {Pozdrav, {name},}}',
  'link.hint': 'Ako gumb ne radi, otvorite ovu adresu u pregledniku:',
  footer: 'Poruku šalju Vrata na adresi {host}, jer ondje postoji račun s ovom e-adresom.',
  'footer.invited': 'Poruku šalju Vrata na adresi {host}, jer je netko ondje pozvao ovu e-adresu.',

  'confirm_email.subject': 'Potvrdite svoju e-adresu',
  'confirm_email.text': 'potvrdite da je ova e-adresa vaša. Poveznica vrijedi 24 sata.',
  'confirm_email.action': 'Potvrdi e-adresu',
  'confirm_email.note': 'Ako to niste bili vi, zanemarite ovu poruku. Bez potvrde se ništa ne događa.',

  'reset_password.subject': 'Odaberite novu lozinku',
  'reset_password.text': 'zatražili ste novu lozinku. Poveznica vrijedi jednom i 30 minuta.',
  'reset_password.action': 'Odaberi lozinku',
  'reset_password.note': 'Ako to niste bili vi, zanemarite ovu poruku. Vaša lozinka ostaje ista.',

  'password_changed.subject': 'Vaša je lozinka promijenjena',
  'password_changed.text': 'lozinka vašeg računa Vrata promijenjena je ({when}). Drugi su uređaji odjavljeni.',
  'password_changed.action': 'Ova mi promjena nije poznata',
  'password_changed.note': 'Ako ste to bili vi, ne morate učiniti ništa.',

  'email_changed.subject': 'E-adresa vašeg računa je promijenjena',
  'email_changed.text': 'vaš račun Vrata sada koristi e-adresu {new_email}. Poruke više ne stižu ovamo.',
  'email_changed.action': 'Ova mi promjena nije poznata',
  'email_changed.note': 'Ako ste to bili vi, ne morate učiniti ništa.',

  'new_device.subject': 'Prijava s novog uređaja',
  'new_device.text':
    'na vaš račun Vrata prvi se put prijavio uređaj {device} ({when}{place, select, none {} other {, {place}}}).',
  'new_device.action': 'To nisam ja',
  'new_device.note': 'Ako ste to bili vi, ne morate učiniti ništa. Inače odjavite taj uređaj i promijenite lozinku.',

  'qr_sign_in.subject': 'Uređaj prijavljen QR kodom',
  'qr_sign_in.text':
    'uređaj {device} prijavljen je na vaš račun Vrata jer je QR kod na njegovu zaslonu odobren na vašem telefonu ({when}{place, select, none {} other {, {place}}}).',
  'qr_sign_in.action': 'To nisam ja',
  'qr_sign_in.note':
    'Ako ste pred tim zaslonom sjedili vi, ne morate učiniti ništa. Inače odmah odjavite taj uređaj i promijenite lozinku.',

  'otp_on.subject': 'Prijava u dva koraka je uključena',
  'otp_on.text': 'vaš račun Vrata odsad nakon lozinke traži i kod (od {when}).',
  'otp_on.action': 'Ova mi promjena nije poznata',
  'otp_on.note': 'Ako ste to bili vi, ne morate učiniti ništa. Pričuvne kodove čuvajte na sigurnom.',

  'otp_off.subject': 'Prijava u dva koraka je isključena',
  'otp_off.text': 'vaš račun Vrata nakon lozinke više ne traži kod (od {when}).',
  'otp_off.action': 'Ova mi promjena nije poznata',
  'otp_off.note': 'Ako ste to bili vi, ne morate učiniti ništa.',

  'data_ready.subject': 'Vaša je arhiva spremna',
  'data_ready.text': 'arhivu svojih podataka možete preuzeti do {when} Nakon toga bit će izbrisana.',
  'data_ready.action': 'Preuzmi arhivu',
  'data_ready.note': 'U njoj su osobni podaci. Čuvajte je ondje gdje je nitko drugi ne čita.',

  'deletion_begun.subject': 'Vaš će račun biti izbrisan',
  'deletion_begun.text':
    'vaš račun Vrata bit će trajno izbrisan ({when}). Svugdje ste odjavljeni i aplikacije više nemaju pristup.',
  'deletion_begun.action': 'Zadrži račun',
  'deletion_begun.note': 'Ako to želite, ne morate učiniti ništa. Ako se prije toga prijavite, račun ostaje.',

  'deletion_undone.subject': 'Vaš račun ostaje',
  'deletion_undone.text':
    'prijavili ste se pa vaš račun Vrata neće biti izbrisan. Aplikacije će vas ponovno pitati za pristup.',
  'deletion_undone.action': 'Otvori račun',
  'deletion_undone.note': 'Ako želite izbrisati račun, zatražite to ponovno.',

  'invitation.subject': 'Pozvani ste u organizaciju',
  'invitation.text': '{inviter} vas poziva u organizaciju {organization}. Pozivnica vrijedi do {when}',
  'invitation.action': 'Pogledaj pozivnicu',
  'invitation.note': 'Ako ne poznajete tu osobu, zanemarite ovu poruku.',

  'otp_failed.subject': 'Pogrešni kodovi pri prijavi na vaš račun',
  'otp_failed.text':
    'netko je pri prijavi u dva koraka na vaš račun Vrata više puta upisao pogrešan kod ({when}). Na račun nije ušao.',
  'otp_failed.action': 'Promijeni lozinku',
  'otp_failed.note':
    'Ako ste to bili vi, ne morate učiniti ništa. Inače vašu lozinku zna još netko: odmah odaberite novu.',

  'recovery_codes_renewed.subject': 'Novi pričuvni kodovi vašeg računa',
  'recovery_codes_renewed.text': 'za vaš račun Vrata izrađeni su novi pričuvni kodovi ({when}). Stari više ne vrijede.',
  'recovery_codes_renewed.action': 'Ova mi promjena nije poznata',
  'recovery_codes_renewed.note': 'Ako ste to bili vi, ne morate učiniti ništa.',

  'passkey_added.subject': 'Vašem računu dodan je pristupni ključ',
  'passkey_added.text': 'vaš račun Vrata odsad bez lozinke otvara i novi pristupni ključ ({when}).',
  'passkey_added.action': 'Ova mi promjena nije poznata',
  'passkey_added.note': 'Ako ste to bili vi, ne morate učiniti ništa.',

  'passkey_removed.subject': 'Pristupni ključ vašeg računa je uklonjen',
  'passkey_removed.text': 'jedan od pristupnih ključeva vašeg računa Vrata uklonjen je i više ga ne otvara ({when}).',
  'passkey_removed.action': 'Ova mi promjena nije poznata',
  'passkey_removed.note': 'Ako ste to bili vi, ne morate učiniti ništa.',
}
