import type { activity as english } from '../en-US/activity.ts'

export const activity: Record<keyof typeof english, string> = {
  LOGGED_IN: 'Prijava',
  CHANGED_PASSWORD: 'Promjena lozinke',
  CHANGED_EMAIL: 'Promjena e-adrese',
  CREATED_ACCOUNT: 'Otvoren račun',
  ENABLED_OTP: 'Uključena prijava u dva koraka',
  DISABLED_OTP: 'Isključena prijava u dva koraka',
  LOGGED_IN_TO_APP: '{app, select, none {Prijava u aplikaciju} other {Prijava u aplikaciju {app}}}',
  GRANTED_SCOPES_TO_APP: '{app, select, none {Dopušten pristup aplikaciji} other {Dopušten pristup aplikaciji {app}}}',
  REVOKED_SCOPES_FROM_APP: '{app, select, none {Oduzet pristup aplikaciji} other {Oduzet pristup aplikaciji {app}}}',
  ADDED_PASSKEY: 'Dodan pristupni ključ',
  REMOVED_PASSKEY: 'Uklonjen pristupni ključ',
  LOGGED_OUT_DEVICE: 'Odjavljen uređaj',
  REQUESTED_DATA: 'Zatražena kopija podataka računa',
  BEGAN_DELETION: 'Zatraženo brisanje računa',
  UNDID_DELETION: 'Otkazano brisanje računa',
  RENEWED_RECOVERY_CODES: 'Izrađeni novi pričuvni kodovi',
  SERVICE_USED_ACCESS:
    '{service, select, none {Usluga} other {Usluga {service}}} upotrijebila je pristup koji ste dopustili {app, select, none {aplikaciji} other {aplikaciji {app}}}',
  ALLOWED_REQUEST_OF_APP:
    '{app, select, none {Dopušten zahtjev aplikacije za prijavu} other {Dopušten zahtjev za prijavu, aplikacija {app}}}',
  DENIED_REQUEST_OF_APP:
    '{app, select, none {Odbijen zahtjev aplikacije za prijavu} other {Odbijen zahtjev za prijavu, aplikacija {app}}}',
  OPERATOR_ROLE_CHANGED: 'Promijenjena uloga operatera',
  OPERATOR_DISABLED_ACCOUNT: 'Operater je onemogućio račun',
  OPERATOR_ENABLED_ACCOUNT: 'Operater je ponovno omogućio račun',
  OPERATOR_SIGNED_OUT: 'Operater vas je svugdje odjavio',
  OPERATOR_UNLOCKED: 'Operater je uklonio čekanje nakon pogrešnih prijava',
  OPERATOR_SENT_RESET: 'Operater vam je poslao poveznicu za novu lozinku',
  OPERATOR_ADDED_TO_GROUP: 'Operater vas je dodao u grupu',
  OPERATOR_REMOVED_FROM_GROUP: 'Operater vas je uklonio iz grupe',
  OPERATOR_REQUESTED_FACTOR_RESET: 'Operater je zatražio uklanjanje prijave u dva koraka i pristupnih ključeva',
  OPERATOR_CANCELED_FACTOR_RESET: 'Operater je otkazao uklanjanje prijave u dva koraka i pristupnih ključeva',
  STOPPED_FACTOR_RESET: 'Zaustavljeno uklanjanje prijave u dva koraka i pristupnih ključeva',
  OPERATOR_RESET_FACTORS: 'Operater je uklonio prijavu u dva koraka i pristupne ključeve',
  OPERATOR_CREATED_REGISTRATION_TOKEN: 'Operater je izradio token za registraciju aplikacija u Vaše ime',
}
