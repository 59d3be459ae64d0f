import type { activity as english } from '../en-US/activity.ts'

export const activity: Record<keyof typeof english, string> = {
  LOGGED_IN: 'Prijava',
  CHANGED_PASSWORD: 'Sprememba gesla',
  CHANGED_EMAIL: 'Sprememba e-naslova',
  CREATED_ACCOUNT: 'Ustvarjen račun',
  ENABLED_OTP: 'Vklopljena prijava v dveh korakih',
  DISABLED_OTP: 'Izklopljena prijava v dveh korakih',
  LOGGED_IN_TO_APP: '{app, select, none {Prijava v aplikacijo} other {Prijava v aplikacijo {app}}}',
  GRANTED_SCOPES_TO_APP: '{app, select, none {Dovoljen dostop aplikaciji} other {Dovoljen dostop aplikaciji {app}}}',
  REVOKED_SCOPES_FROM_APP: '{app, select, none {Odvzet dostop aplikaciji} other {Odvzet dostop aplikaciji {app}}}',
  ADDED_PASSKEY: 'Dodan ključ za dostop',
  REMOVED_PASSKEY: 'Odstranjen ključ za dostop',
  LOGGED_OUT_DEVICE: 'Odjavljena naprava',
  REQUESTED_DATA: 'Zahtevana kopija podatkov računa',
  BEGAN_DELETION: 'Zahtevan izbris računa',
  UNDID_DELETION: 'Preklican izbris računa',
  RENEWED_RECOVERY_CODES: 'Ustvarjene nove rezervne kode',
  SERVICE_USED_ACCESS:
    '{service, select, none {Storitev} other {Storitev {service}}} je uporabila dostop, ki ste ga dovolili {app, select, none {aplikaciji} other {aplikaciji {app}}}',
  ALLOWED_REQUEST_OF_APP:
    '{app, select, none {Dovoljena zahteva aplikacije za prijavo} other {Dovoljena zahteva za prijavo, aplikacija {app}}}',
  DENIED_REQUEST_OF_APP:
    '{app, select, none {Zavrnjena zahteva aplikacije za prijavo} other {Zavrnjena zahteva za prijavo, aplikacija {app}}}',
  OPERATOR_ROLE_CHANGED: 'Spremenjena vloga upravljavca',
  OPERATOR_DISABLED_ACCOUNT: 'Upravljavec je onemogočil račun',
  OPERATOR_ENABLED_ACCOUNT: 'Upravljavec je znova omogočil račun',
  OPERATOR_SIGNED_OUT: 'Upravljavec vas je povsod odjavil',
  OPERATOR_UNLOCKED: 'Upravljavec je odpravil čakanje po napačnih prijavah',
  OPERATOR_SENT_RESET: 'Upravljavec vam je poslal povezavo za novo geslo',
  OPERATOR_ADDED_TO_GROUP: 'Upravljavec vas je dodal v skupino',
  OPERATOR_REMOVED_FROM_GROUP: 'Upravljavec vas je odstranil iz skupine',
  OPERATOR_REQUESTED_FACTOR_RESET: 'Upravljavec je zahteval odstranitev prijave v dveh korakih in ključev za dostop',
  OPERATOR_CANCELED_FACTOR_RESET: 'Upravljavec je preklical odstranitev prijave v dveh korakih in ključev za dostop',
  STOPPED_FACTOR_RESET: 'Ustavljena odstranitev prijave v dveh korakih in ključev za dostop',
  OPERATOR_RESET_FACTORS: 'Upravljavec je odstranil prijavo v dveh korakih in ključe za dostop',
  OPERATOR_CREATED_REGISTRATION_TOKEN: 'Upravljavec je ustvaril žeton za registracijo aplikacij v vašem imenu',
}
