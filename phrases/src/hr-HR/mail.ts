import type { mail as english } from '../en-US/mail.ts'

export const mail: Record<keyof typeof english, string> = {
  greeting: '{name, select, none {Pozdrav,} other {Pozdrav, {name},}}',
  'link.hint': 'Ako gumb ne radi, otvorite ovu adresu u pregledniku:',
  footer: 'Poruku šalje usluga Vrata na adresi {host}, jer ondje postoji račun s ovom e-adresom.',
  'footer.invited': 'Poruku šalje usluga Vrata na adresi {host}, jer je netko ondje pozvao ovu e-adresu.',

  'facts.at': 'Kada: {at}',
  'facts.requested': 'Zatraženo: {at}',
  'facts.device': 'Uređaj: {device}',
  'facts.place': 'Lokacija: {place}',

  'confirm_email.subject': 'Potvrdite svoju e-adresu',
  'confirm_email.text': 'potvrdite da je ova e-adresa vaša. Poveznica vrijedi 24 sata.',
  'confirm_email.action': 'Potvrdi e-adresu',
  'confirm_email.note': 'Ako to niste bili vi, zanemarite ovu poruku. Bez potvrde se ništa neće promijeniti.',

  'email_in_use.subject': 'Vaša je e-adresa unesena za drugi račun',
  'email_in_use.text':
    'netko je ovu e-adresu unio za drugi račun Vrata. Adresa ostaje uz vaš račun i ništa se nije promijenilo.',
  'email_in_use.action': 'Otvori račun',
  'email_in_use.note':
    'Ako ste to bili vi: ova adresa već ima račun. Prijavite se u njega ili za drugi račun upotrijebite drugu adresu.',

  'reset_password.subject': 'Odaberite novu lozinku',
  'reset_password.text':
    'primili smo zahtjev za novu lozinku. Poveznica vrijedi 30 minuta i može se upotrijebiti samo jednom.',
  'reset_password.action': 'Odaberi lozinku',
  'reset_password.note': 'Ako to niste bili vi, zanemarite ovu poruku. Vaša lozinka ostaje ista.',

  'password_changed.subject': 'Vaša je lozinka promijenjena',
  'password_changed.text': 'lozinka vašeg računa Vrata promijenjena je. Drugi su uređaji odjavljeni.',
  'password_changed.action': 'Ne prepoznajem ovu promjenu',
  'password_changed.note': 'Ako ste to bili vi, ne morate učiniti ništa.',

  'email_changed.subject': 'E-adresa vašeg računa je promijenjena',
  'email_changed.text': 'vaš račun Vrata sada koristi e-adresu {new_email}. Na ovu adresu više nećemo slati poruke.',
  'email_changed.action': 'Ne prepoznajem ovu promjenu',
  'email_changed.note': 'Ako ste to bili vi, ne morate učiniti ništa.',

  'new_device.subject': 'Prijava s novog uređaja',
  'new_device.text': 'u vaš račun Vrata prvi se put prijavio uređaj {device}.',
  'new_device.action': 'To nisam ja',
  'new_device.note': 'Ako ste to bili vi, ne morate učiniti ništa. Inače odjavite taj uređaj i promijenite lozinku.',

  'qr_sign_in.subject': 'Prijava uređaja QR kodom',
  'qr_sign_in.text':
    'uređaj {device} prijavljen je u vaš račun Vrata jer je QR kod na njegovu zaslonu odobren na vašem telefonu.',
  'qr_sign_in.action': 'To nisam ja',
  'qr_sign_in.note':
    'Ako ste pred tim zaslonom bili vi, ne morate učiniti ništa. Inače odmah odjavite taj uređaj i promijenite lozinku.',

  'otp_on.subject': 'Prijava u dva koraka je uključena',
  'otp_on.text': 'vaš račun Vrata odsad nakon lozinke traži i kod.',
  'otp_on.action': 'Ne prepoznajem ovu promjenu',
  'otp_on.note': 'Ako ste to bili vi, ne morate učiniti ništa. Pričuvne kodove čuvajte na sigurnom.',

  'otp_off.subject': 'Prijava u dva koraka je isključena',
  'otp_off.text': 'vaš račun Vrata nakon lozinke više ne traži kod.',
  'otp_off.action': 'Ne prepoznajem ovu promjenu',
  'otp_off.note': 'Ako ste to bili vi, ne morate učiniti ništa.',

  'factor_reset.subject': 'Vaš drugi korak i pristupni ključevi bit će uklonjeni',
  'factor_reset.text':
    'operater je zamoljen da s vašeg računa Vrata ukloni prijavu u dva koraka i sve pristupne ključeve jer se ne možete prijaviti. To će se dogoditi za 24 sata.',
  'factor_reset.action': 'Zaustavi',
  'factor_reset.note':
    'Ako ste tražili pomoć, ne morate učiniti ništa. Ako niste, zaustavite to sada: netko možda pokušava ući u vaš račun.',

  'factors_reset.subject': 'Vaš drugi korak i pristupni ključevi su uklonjeni',
  'factors_reset.text':
    'operater je s vašeg računa Vrata uklonio prijavu u dva koraka i sve pristupne ključeve. Svugdje ste odjavljeni; prijavite se lozinkom i ponovno ih postavite.',
  'factors_reset.action': 'Postavi ponovno',
  'factors_reset.note': 'Ako niste tražili pomoć, odmah promijenite lozinku i javite to operateru instalacije.',

  'new_passkey.subject': 'Postavite novi pristupni ključ',
  'new_passkey.text':
    'operater je zamoljen da vam pomogne s prijavom. Vaš račun Vrata sada nema ni pristupni ključ ni prijavu u dva koraka. Ovom poveznicom postavljate novi pristupni ključ i prijavljujete se. Radi jednom, 24 sata.',
  'new_passkey.action': 'Postavi pristupni ključ',
  'new_passkey.note':
    'Ako niste tražili pomoć, postavite pristupni ključ prije nego što ovu poruku pročita netko drugi i javite to operateru instalacije.',

  'app_request.subject': 'Aplikacija traži da potvrdite prijavu',
  'app_request.text':
    'aplikacija {app} traži da potvrdite prijavu računom Vrata. Poveznica otvara zahtjev koji možete dopustiti ili odbiti. Može se upotrijebiti jednom i vrijedi najviše deset minuta.',
  'app_request.action': 'Pregledaj zahtjev',
  'app_request.note':
    'Ako to niste očekivali, odbijte zahtjev ili zanemarite ovu poruku. Bez vašeg odgovora ništa se neće dogoditi.',

  'data_ready.subject': 'Vaša je arhiva spremna',
  'data_ready.text': 'arhivu svojih podataka možete preuzeti do {when} Nakon toga bit će izbrisana.',
  'data_ready.action': 'Preuzmi arhivu',
  'data_ready.note': 'U njoj su osobni podaci. Čuvajte je ondje gdje je nitko drugi ne može čitati.',

  'deletion_begun.subject': 'Vaš će račun biti izbrisan',
  'deletion_begun.text':
    'vaš će račun Vrata biti trajno izbrisan {when} Svugdje ste odjavljeni i aplikacije više nemaju pristup.',
  'deletion_begun.action': 'Zadrži račun',
  'deletion_begun.note':
    'Ako to želite, ne morate učiniti ništa. Ako želite zadržati račun, prijavite se prije tog dana. Ako to niste bili vi, promijenite i lozinku.',

  'deletion_undone.subject': 'Vaš račun neće biti izbrisan',
  'deletion_undone.text':
    'prijavili ste se pa vaš račun Vrata neće biti izbrisan. Aplikacije će od vas ponovno tražiti pristup.',
  'deletion_undone.action': 'Otvori račun',
  'deletion_undone.note': 'Ako još želite izbrisati račun, zatražite to ponovno.',

  'test.subject': 'Probna poruka',
  'test.text': 'e-pošta ove instalacije stiže na ovu adresu.',
  'test.action': 'Otvori administraciju',
  'test.note': 'Ovu je poruku zatražio operater ove instalacije.',
  'account_invitation.subject': 'Čeka vas račun',
  'account_invitation.text':
    'za ovu e-adresu otvoren je račun. Za prijavu odaberite lozinku ili pristupni ključ. Poveznica se može upotrijebiti samo jednom i vrijedi do {when}',
  'account_invitation.action': 'Postavi račun',
  'account_invitation.note': 'Ako ne želite račun, zanemarite ovu poruku. Račun će biti izbrisan.',

  'deletion_by_operator.subject': 'Vaš će račun biti izbrisan',
  'deletion_by_operator.text':
    'vaš će račun Vrata biti trajno izbrisan {when} jer je to zatražio operater. Svugdje ste odjavljeni, a aplikacije više nemaju pristup.',
  'deletion_by_operator.action': 'Zadrži račun',
  'deletion_by_operator.note': 'Ako želite zadržati račun, prijavite se prije tog dana.',

  'restored_by_operator.subject': 'Vaš račun neće biti izbrisan',
  'restored_by_operator.text':
    'operater je otkazao brisanje vašeg računa Vrata. Aplikacije će od vas ponovno tražiti pristup.',
  'restored_by_operator.action': 'Prijavi me',
  'restored_by_operator.note': 'Ako i dalje želite izbrisati račun, zatražite to ponovno.',
  'organization_approved.subject': 'Vaša je organizacija odobrena',
  'organization_approved.text':
    'operater je odobrio organizaciju {organization}. Sada možete registrirati aplikacije i pozivati članove.',
  'organization_approved.action': 'Otvori organizaciju',
  'organization_approved.note': 'Ovu poruku primate jer ste zatražili odobrenje ili ste vlasnik organizacije.',
  'organization_rejected.subject': 'Vaša organizacija nije odobrena',
  'organization_rejected.text':
    'operater je odlučio da neće odobriti organizaciju {organization}. Njezine aplikacije ne rade i ne može imati nove članove.{reason, select, none {} other { Navedeni razlog: {reason}}}',
  'organization_rejected.action': 'Otvori organizaciju',
  'organization_rejected.note':
    'Organizacija ostaje kakva jest. Možete joj promijeniti podatke i ponovno zatražiti odobrenje ili je izbrisati.',
  'app_approved.subject': 'Vaša je aplikacija odobrena',
  'app_approved.text': 'operater je odobrio aplikaciju {app}. Ljudi se sada mogu u nju prijavljivati.',
  'app_approved.action': 'Otvori aplikaciju',
  'app_approved.note': 'Ovu poruku primate jer ste zatražili odobrenje ili ste vlasnik organizacije.',
  'app_rejected.subject': 'Vaša aplikacija nije odobrena',
  'app_rejected.text':
    'operater je odlučio da neće odobriti aplikaciju {app}. U nju se nije moguće prijaviti.{reason, select, none {} other { Navedeni razlog: {reason}}}',
  'app_rejected.action': 'Otvori aplikaciju',
  'app_rejected.note':
    'Aplikacija ostaje kakva jest. Možete je promijeniti i ponovno zatražiti odobrenje ili je izbrisati.',

  'invitation.subject': 'Pozvani ste u organizaciju',
  'invitation.text': '{inviter} vas poziva u organizaciju {organization}. Pozivnica vrijedi do {when}',
  'invitation.action': 'Otvori pozivnicu',
  'invitation.note': 'Ako ne poznajete tu osobu, zanemarite ovu poruku.',

  'otp_failed.subject': 'Neuspjeli pokušaji prijave u vaš račun',
  'otp_failed.text':
    'netko je pri prijavi u dva koraka u vaš račun Vrata više puta upisao pogrešan kod. Nije uspio ući u račun.',
  'otp_failed.action': 'Promijeni lozinku',
  'otp_failed.note':
    'Ako ste to bili vi, ne morate učiniti ništa. Inače vašu lozinku zna još netko: odmah odaberite novu.',

  'recovery_codes_renewed.subject': 'Novi pričuvni kodovi za vaš račun',
  'recovery_codes_renewed.text': 'za vaš račun Vrata izrađeni su novi pričuvni kodovi. Stari više ne vrijede.',
  'recovery_codes_renewed.action': 'Ne prepoznajem ovu promjenu',
  'recovery_codes_renewed.note': 'Ako ste to bili vi, ne morate učiniti ništa.',

  'passkey_added.subject': 'Vašem računu dodan je pristupni ključ',
  'passkey_added.text': 'u vaš račun Vrata odsad se možete prijaviti i novim pristupnim ključem, bez lozinke.',
  'passkey_added.action': 'Ne prepoznajem ovu promjenu',
  'passkey_added.note': 'Ako ste to bili vi, ne morate učiniti ništa.',

  'passkey_removed.subject': 'Iz vašeg računa uklonjen je pristupni ključ',
  'passkey_removed.text': 'iz vašeg računa Vrata uklonjen je pristupni ključ; prijava njime više nije moguća.',
  'passkey_removed.action': 'Ne prepoznajem ovu promjenu',
  'passkey_removed.note': 'Ako ste to bili vi, ne morate učiniti ništa.',
}
