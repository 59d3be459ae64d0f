import type { conflicts as english } from '../en-US/conflicts.ts'

export const conflicts: Record<keyof typeof english, string> = {
  'problem.registration_closed':
    'S tom adresom ovdje nije moguće otvoriti račun. Za pozivnicu se obratite operaterima ove usluge.',
  'problem.limit_reached':
    '{of, select, organizations {Dosegli ste najveći broj organizacija po osobi ({limit}). Izbrišite onu koja vam više ne treba.} clients {Organizacija je dosegla najveći broj aplikacija ({limit}). Izbrišite onu koja vam više ne treba.} members {Organizacija je dosegla najveći broj članova i pozivnica ({limit}). Najprije nekoga uklonite.} joining {Organizacija je dosegla najveći broj članova ({limit}). Javite to osobi koja vas je pozvala.} invitations {Poslali ste najveći dopušteni broj pozivnica na dan ({limit}). Pokušajte ponovno sutra.} other {Dosegnuto je ograničenje. Uklonite nešto što vam više ne treba.}}',
  'problem.sign_in_incomplete': 'Najprije dovršite prijavu.',
  'problem.sign_in_replaced':
    'U drugoj je kartici započeta prijava drugim računom pa ova više ne vrijedi. Počnite ispočetka.',
  'problem.second_factor_required': 'Računu najprije dodajte pristupni ključ ili uključite prijavu u dva koraka.',
  'problem.sign_in_method_off': 'Ovaj način prijave isključen je. Upotrijebite drugi.',
  'problem.last_owner': 'Organizacija mora imati vlasnika. Najprije odredite drugog vlasnika.',
  'problem.already_member': 'Ta je osoba već član organizacije.',
  'problem.already_invited': 'Ova je adresa već pozvana. Pozivnicu možete ponovno poslati s popisa.',
  'problem.already_decided':
    'Netko drugi je u međuvremenu odlučio o ovome. Zatvorite ovaj prozor i pogledajte ponovno.',
  'problem.already_confirmed': 'Ova je e-\u2060adresa već potvrđena.',
  'problem.otp_already_on': 'Prijava u dva koraka već je uključena.',
  'problem.otp_not_on': 'Prijava u dva koraka nije uključena.',
  'problem.otp_setup_expired': 'Postavljanje je trajalo predugo. Počnite ispočetka.',
  'problem.passkey_exists': 'Ovaj pristupni ključ već je na popisu.',
  'problem.last_passkey': 'Prijaviti se možete samo ovim pristupnim ključem. Najprije dodajte drugi.',
  'problem.data_request_running': 'Arhiva se već priprema. Pričekajte da bude spremna.',
  'problem.username_taken': 'To je korisničko ime zauzeto. Odaberite drugo.',
  'problem.cross_site': 'Zahtjev je došao s drugog web-mjesta i odbijen je.',
  'problem.insufficient_level': 'Vaša razina ili uloga to ne dopušta.',
  'problem.email_not_verified': 'Najprije potvrdite svoju e-\u2060adresu.',
  'problem.client_disabled': 'Programer je isključio ovu aplikaciju.',
  'problem.client_not_approved': 'Ovu aplikaciju najprije mora odobriti operater.',
  'problem.organization_not_approved': 'Ovu organizaciju najprije mora odobriti operater.',
  'problem.organization_creation_closed': 'Organizacije ovdje izrađuju operateri. Za novu se obratite njima.',
  'problem.user_blocked': 'Organizacija koja vodi ovu aplikaciju blokirala vas je u njoj.',
  'problem.wrong_account': 'Ova je pozivnica za drugu adresu. Prijavite se računom kojemu ta adresa pripada.',
  'problem.qr_sign_in_off': 'Prijava QR kodom isključena je.',
  'problem.unrecognized_device':
    'I ovaj je uređaj nov. Drugi možete potvrditi na uređaju koji ste već potvrdili ili ovdje tjedan dana nakon prve prijave na ovom uređaju.',
}
