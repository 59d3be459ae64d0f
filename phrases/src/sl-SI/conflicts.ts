import type { conflicts as english } from '../en-US/conflicts.ts'

export const conflicts: Record<keyof typeof english, string> = {
  'problem.registration_closed':
    'S tem naslovom tukaj ni mogoče ustvariti računa. Za povabilo prosite upravljavce te storitve.',
  'problem.limit_reached':
    '{of, select, organizations {Dosegli ste največje število organizacij na osebo ({limit}). Izbrišite tisto, ki je ne potrebujete več.} clients {Organizacija je dosegla največje število aplikacij ({limit}). Izbrišite tisto, ki je ne potrebujete več.} members {Organizacija je dosegla največje število članov in povabil ({limit}). Najprej koga odstranite.} joining {Organizacija je dosegla največje število članov ({limit}). To sporočite osebi, ki vas je povabila.} invitations {Poslali ste največje dovoljeno število povabil na dan ({limit}). Poskusite znova jutri.} other {Dosežena je omejitev. Odstranite nekaj, česar ne potrebujete več.}}',
  'problem.sign_in_incomplete': 'Najprej dokončajte prijavo.',
  'problem.sign_in_replaced':
    'V drugem zavihku se je začela prijava z drugim računom, zato ta ne velja več. Začnite znova.',
  'problem.second_factor_required': 'Računu najprej dodajte ključ za dostop ali vklopite prijavo v dveh korakih.',
  'problem.sign_in_method_off': 'Ta način prijave je izklopljen. Uporabite drugega.',
  'problem.last_owner': 'Organizacija potrebuje lastnika. Najprej določite drugega lastnika.',
  'problem.already_member': 'Ta oseba je že član organizacije.',
  'problem.already_invited': 'Ta naslov je že povabljen. Povabilo lahko znova pošljete s seznama.',
  'problem.already_decided': 'Medtem je o tem odločil nekdo drug. Zaprite to okno in poglejte znova.',
  'problem.already_confirmed': 'Ta e-\u2060naslov je že potrjen.',
  'problem.otp_already_on': 'Prijava v dveh korakih je že vklopljena.',
  'problem.otp_not_on': 'Prijava v dveh korakih ni vklopljena.',
  'problem.otp_setup_expired': 'Nastavljanje je trajalo predolgo. Začnite znova.',
  'problem.passkey_exists': 'Ta ključ za dostop je že na seznamu.',
  'problem.last_passkey': 'Prijavite se lahko samo s tem ključem za dostop. Najprej dodajte drugega.',
  'problem.data_request_running': 'Arhiv je že v pripravi. Počakajte, da bo pripravljen.',
  'problem.username_taken': 'To uporabniško ime je zasedeno. Izberite drugo.',
  'problem.cross_site': 'Zahteva je prišla z drugega spletnega mesta in je bila zavrnjena.',
  'problem.insufficient_level': 'Vaša raven ali vloga tega ne dovoljuje.',
  'problem.email_not_verified': 'Najprej potrdite svoj e-\u2060naslov.',
  'problem.client_disabled': 'Razvijalec je to aplikacijo izklopil.',
  'problem.client_not_approved': 'To aplikacijo mora najprej odobriti upravljavec.',
  'problem.organization_not_approved': 'To organizacijo mora najprej odobriti upravljavec.',
  'problem.organization_creation_closed': 'Organizacije tukaj ustvarjajo upravljavci. Za novo se obrnite nanje.',
  'problem.user_blocked': 'Organizacija, ki upravlja to aplikacijo, vas je v njej blokirala.',
  'problem.wrong_account': 'To povabilo je za drug naslov. Prijavite se z računom, ki mu naslov pripada.',
  'problem.qr_sign_in_off': 'Prijava s kodo QR je izklopljena.',
  'problem.unrecognized_device':
    'Tudi ta naprava je nova. Drugo lahko potrdite v napravi, ki ste jo že potrdili, ali tukaj teden dni po prvi prijavi v tej napravi.',
}
