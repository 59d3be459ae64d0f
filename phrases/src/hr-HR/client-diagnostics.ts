import type { clientDiagnostics as english } from '../en-US/client-diagnostics.ts'

export const clientDiagnostics: Record<keyof typeof english, string> = {
  title: 'Odbijeni zahtjevi',
  text: 'Što je pošlo po zlu u posljednjih sedam dana i kako to možete ispraviti.',
  forget: 'Očisti popis',
  times: '{times, plural, =1 {Jednom} one {# put} few {# puta} other {# puta}}',
  add: 'Dodaj',
  added: 'Dodano. Pokušajte ponovno.',
  'ask.title': 'Je li ova adresa vaša?',
  'ask.text':
    'Svatko može poslati zahtjev sa svojom adresom. Dodajte je samo ako pripada vašoj aplikaciji, jer se onamo preusmjeravaju osobe koje se prijave.',
  'client_disabled.title': 'Aplikacija je isključena',
  'client_disabled.text': 'Prijava nije moguća dok je netko ponovno ne uključi.',
  'client_disabled.fix': 'Pojedinosti',
  'client_not_approved.title': 'Aplikacija nije odobrena',
  'client_not_approved.text': 'Prijava nije moguća dok je ne odobri operater ove instalacije.',
  'client_not_approved.fix': 'Pojedinosti',
  'redirect_uri.title': 'Ova adresa za preusmjeravanje nije registrirana',
  'redirect_uri.text': 'Mora biti registrirana točno onako kako je aplikacija šalje, do posljednjeg znaka.',
  'scope.title': 'Aplikacija traži dopuštenje koje ne smije tražiti',
  'scope.text': 'Dodajte ga među dopuštenja aplikacije ili ga izostavite iz zahtjeva.',
  'scope.fix': 'Dopuštenja',
  'pkce_missing.title': 'Zahtjev ne koristi PKCE',
  'pkce_missing.text':
    'Uz zahtjev pošaljite code_challenge i code_challenge_method=S256, a uz kod code_verifier. Ako biblioteka to ne može, a aplikacija ima tajnu klijenta, dolje isključite „Zahtijevaj PKCE”.',
  'pkce_method.title': 'Ovaj code_challenge_method nije prihvaćen',
  'pkce_method.text': 'Zajedno s code_challenge pošaljite code_challenge_method=S256; plain nije siguran.',
  'response_type.title': 'Vrijednost response_type nedostaje ili nije podržana',
  'response_type.text': 'Upotrijebite response_type=code; tokene zatim izdaje krajnja točka za tokene.',
  'response_mode.title': 'Ovaj response_mode nije prihvaćen',
  'response_mode.text':
    'Ako je aplikacija odabrala potpisane odgovore na zahtjev za autorizaciju, pošaljite response_mode=jwt, query.jwt, fragment.jwt ili form_post.jwt. Inače se prihvaćaju i query, fragment i form_post.',
  'authorization_request.title': 'Parametar zahtjeva za autorizaciju nedostaje ili je pogrešan',
  'authorization_request.text': 'Gornji redak kaže o kojem je parametru riječ. Usporedite zahtjev s dokumentacijom.',
  'post_logout_redirect_uri.title': 'Ova adresa za preusmjeravanje nakon odjave nije registrirana',
  'post_logout_redirect_uri.text':
    'Dolje, pod „Adrese nakon odjave”, mora biti registrirana točno onako kako je aplikacija šalje, do posljednjeg znaka.',
  'id_token_hint.title': 'id_token_hint u zahtjevu za odjavu nije prihvaćen',
  'id_token_hint.text':
    'Pošaljite nepromijenjen ID token koji je ova aplikacija dobila od nas. Smije biti istekao. Gornji redak kaže što je pogrešno.',
  'end_session_request.title': 'Parametar zahtjeva za odjavu nedostaje ili je pogrešan',
  'end_session_request.text': 'Gornji redak kaže o kojem je parametru riječ. Usporedite zahtjev s dokumentacijom.',
  'no_access.title': 'Osoba ne smije koristiti ovu aplikaciju',
  'no_access.text':
    'Pristup aplikaciji na stranici s pojedinostima ne obuhvaća ovu osobu. Ondje ga može promijeniti netko s razinom administratora; u grupe osobe dodaju operateri.',
  'par_required.title': 'Zahtjev za autorizaciju nije poslan unaprijed',
  'par_required.text':
    'Ova aplikacija prima samo zahtjeve koje njezin poslužitelj prije pošalje na /par (PAR). Pošaljite ga tako. Ako profil FAPI 2.0 nije odabran, taj uvjet možete i isključiti dolje, pod „Postavke za stručnjake”.',
  'request_uri.title': 'request_uri više ne vrijedi',
  'request_uri.text':
    'Unaprijed poslani zahtjev vrijedi jednom i jednu minutu. Pošaljite ga kad prijava počne, i za svaku prijavu iznova.',
  'request_object.title': 'Potpisani zahtjev nije prihvaćen',
  'request_object.text':
    'Potpišite ga registriranim ključem aplikacije, kao primatelja navedite ovaj poslužitelj i odredite kratko trajanje. Ako je aplikacija registrirala algoritam, upotrijebite njega. Gornji redak kaže što je pogrešno.',
  'request_object_missing.title': 'Zahtjev za autorizaciju nije potpisan',
  'request_object_missing.text':
    'Ova aplikacija prima samo potpisane zahtjeve (JAR): sve parametre zapišite u JWT potpisan registriranim ključem i pošaljite ga kao request. Ili isključite taj uvjet dolje, pod „Postavke za stručnjake”.',
  'request_object_lifetime.title': 'Vremena u potpisanom zahtjevu nisu prihvaćena',
  'request_object_lifetime.text':
    'Potpisani zahtjev mora imati exp. S profilom FAPI 2.0 mora imati i nbf, koji je trenutačno vrijeme, a exp je najviše 60 minuta nakon njega. Gornji redak kaže što je pogrešno.',
  'resource.title': 'Ovaj resource nije dostupan aplikaciji',
  'resource.text':
    'resource mora navoditi API koji poznaje usluga Vrata, a zahtjev mora sadržavati barem jedno dopuštenje tog API-ja koje je osoba odobrila.',
  'unregistered_client.title': 'Program koji nitko nije registrirao odbijen je',
  'unregistered_client.text':
    'Zatražio je pristup API-ju ove aplikacije. Gornji redak kaže o kojem je programu riječ i što nije bilo u redu. To mora urediti njegov programer.',
  'origin.title': 'Ovaj izvor nije registriran',
  'origin.text':
    'Stranice koje u pregledniku traže tokene ili podatke o korisniku moraju biti na registriranom izvoru.',
  'secret_missing.title': 'Aplikacija nije poslala svoju tajnu',
  'secret_missing.text':
    'Ova aplikacija mora potvrditi svoj identitet: tajnu klijenta pošaljite u zaglavlju Authorization ili u obrascu. To možete promijeniti dolje, pod „Napredno”.',
  'secret_wrong.title': 'Tajna klijenta je pogrešna',
  'secret_wrong.text': 'Usporedite njezina posljednja četiri znaka s onima gore ili izradite novu tajnu.',
  'assertion_missing.title': 'Aplikacija nije potvrdila identitet svojim ključem',
  'assertion_missing.text':
    'Pošaljite client_assertion i client_assertion_type, potpisane privatnim ključem aplikacije. Tajna se ne prihvaća dok je dolje, pod „Postavke za stručnjake”, odabran taj način.',
  'assertion.title': 'client_assertion nije prihvaćen',
  'assertion.text':
    'Za svaki zahtjev potpišite novi, ključem čiji je javni dio registriran dolje: iss i sub su ID klijenta, aud je adresa ovog poslužitelja, jti je nov, exp je uskoro. Ako je aplikacija registrirala algoritam, upotrijebite njega. Gornji redak kaže što je pogrešno.',
  'assertion_audience.title': 'client_assertion navodi pogrešnog primatelja',
  'assertion_audience.text':
    'S profilom FAPI 2.0 aud je adresa ovog poslužitelja (issuer) kao jedan tekst. Bez njega aud može biti i adresa krajnje točke za tokene. Popis se nikad ne prihvaća.',
  'algorithm.title': 'Ovaj algoritam potpisa nije prihvaćen',
  'algorithm.text':
    'Ako je aplikacija registrirala algoritam, upotrijebite njega. S profilom FAPI 2.0 client_assertion, zahtjevi i DPoP dokazi potpisuju se pomoću PS256, ES256 ili EdDSA, a ne RS256.',
  'dpop_missing.title': 'Zahtjev nema DPoP dokaz',
  'dpop_missing.text':
    'Tokeni ove aplikacije vezani su uz ključ: pošaljite dokaz u zaglavlju DPoP, i uz svaki token na userinfo. Ako profil FAPI 2.0 nije odabran, taj uvjet možete i isključiti dolje, pod „Postavke za stručnjake”.',
  'dpop_proof.title': 'DPoP dokaz nije prihvaćen',
  'dpop_proof.text':
    'Za svaki zahtjev izradite novi dokaz, uvijek istim ključem: htm i htu su metoda i adresa poziva, iat je trenutačno vrijeme. Gornji redak kaže što je pogrešno.',
  'certificate_missing.title': 'Zahtjev nema certifikat klijenta',
  'certificate_missing.text':
    'Za ovaj je zahtjev potreban TLS certifikat aplikacije. Pozovite adresu koja je u dokumentu discovery navedena pod mtls_endpoint_aliases, ako postoji, i predočite certifikat. Ako aplikacija to već čini, pitajte operatera ovog poslužitelja prosljeđuje li ga posrednički poslužitelj.',
  'certificate.title': 'Certifikat klijenta nije prihvaćen',
  'certificate.text':
    'Predočite certifikat koji je registriran dolje, odnosno onaj uz koji je vezan token. Mora imati registrirani naziv, a ako ga je izdao izdavatelj certifikata, operater ovog poslužitelja mora mu vjerovati. Gornji redak kaže što je pogrešno.',
  'code.title': 'Autorizacijski kod više ne vrijedi',
  'code.text': 'Kod vrijedi jednom i jednu minutu. Zamijenite ga odmah.',
  'code_verifier.title': 'code_verifier se ne podudara',
  'code_verifier.text':
    'Pošaljite točno onaj tekst iz kojeg je nastao code_challenge iste prijave, bez ponovnog kodiranja.',
  'redirect_uri_changed.title': 'Adresa za preusmjeravanje razlikuje se od one u zahtjevu za autorizaciju',
  'redirect_uri_changed.text': 'Uz kod pošaljite isti redirect_uri kao u zahtjevu za autorizaciju.',
  'refresh_token.title': 'Token za obnovu više ne vrijedi',
  'refresh_token.text':
    'To je uobičajeno nakon odjave ili oduzimanja pristupa: započnite novu prijavu. Svaki token vrijedi jednom, stoga uvijek čuvajte najnoviji.',
  'subject_token.title': 'Token za zamjenu nije prihvaćen',
  'subject_token.text':
    'Istekao je ili je opozvan, nije pristupni token neke osobe ili nije izdan ni aplikaciji vaše organizacije ni za API ove usluge. Ne prihvaćaju se ni tokeni osoba koje je vaša organizacija blokirala.',
  'grant_type.title': 'Ovaj grant_type nije dostupan ovoj aplikaciji',
  'grant_type.text': 'U dokumentaciji provjerite koje vrijednosti grant_type može upotrebljavati takva aplikacija.',
  'token_request.title': 'Parametar zahtjeva za token nedostaje ili je pogrešan',
  'token_request.text': 'Gornji redak kaže o kojem je parametru riječ. Usporedite zahtjev s dokumentacijom.',
  'userinfo_token.title': 'Ovaj pristupni token ne radi na userinfo',
  'userinfo_token.text':
    'Za userinfo je potreban pristupni token koji pripada osobi, s dopuštenjem openid i bez resource. Pošaljite ga jednom, u zaglavlju Authorization ili u obrascu. Gornji redak kaže što je pogrešno.',
  'token_type.title': 'Ova se vrsta tokena ne može opozvati',
  'token_type.text':
    'Pristupni token u obliku JWT vrijedi dok ne istekne. Opozovite token za obnovu ili dolje, pod „Postavke za stručnjake”, odaberite neprozirne pristupne tokene.',
  'login_hint.title': 'Zahtjev ne kaže koga treba pitati',
  'login_hint.text':
    'Pošaljite točno jedan od parametara login_hint (e-\u2060adresa ili korisničko ime) i id_token_hint. login_hint_token nije podržan.',
  'binding_message.title': 'Ovaj binding_message nije prihvaćen',
  'binding_message.text': 'Upotrijebite najviše 40 slova, znamenki, razmaka i jednostavnih interpunkcijskih znakova.',
  'requests_waiting.title': 'Previše zahtjeva čeka istu osobu',
  'requests_waiting.text': 'Pričekajte da osoba odgovori ili da zahtjevi isteknu.',
  'ciba_request.title': 'Parametar zahtjeva za prijavu nedostaje ili je pogrešan',
  'ciba_request.text':
    'Gornji redak kaže o kojem je parametru riječ. Usporedite zahtjev na /backchannel_authentication s dokumentacijom.',
  'test.title': 'Provjera prijave',
  'test.text':
    'U novom prozoru prijavljuje vas s postavkama ove aplikacije i pokazuje što bi aplikacija primila. Samu aplikaciju ne poziva.',
  'test.start': 'Isprobaj prijavu',
  'test.again': 'Pokušaj ponovno',
  'test.waiting':
    'Dovršite prijavu u drugom prozoru. Ako prikazuje pogrešku, zatvorite ga: razlog je naveden pod Odbijeni zahtjevi.',
  'test.stop': 'Prekini čekanje',
  'test.blocked': 'Preglednik je blokirao prozor',
  'test.blocked_text': 'Dopustite skočne prozore za ovu stranicu i pokušajte ponovno.',
  'test.insecure': 'Ova stranica nije šifrirana',
  'test.insecure_text': 'Preglednici to dopuštaju samo putem https ili na localhostu.',
  'test.failed': 'Prijava nije uspjela',
  'test.failed_text': 'Aplikacija bi primila ovu pogrešku:',
  'test.denied': 'Pristup nije dopušten',
  'test.denied_text': 'Aplikacija bi primila ovu pogrešku i trebala bi ponuditi novi pokušaj:',
  'test.done': 'Prijava radi',
  'test.done_text': 'Aplikacija {app} primila bi sljedeće.',
  'test.scopes': 'Dopuštenja',
  'test.access_token': 'Pristupni token',
  'test.expires_in': 'vrijedi {minutes, plural, one {# minutu} few {# minute} other {# minuta}}',
  'test.id_token': 'ID token',
  'test.header': 'Zaglavlje ID tokena',
  'test.userinfo': 'Userinfo',
  'test.no_id_token': 'ID tokena nema jer aplikacija ne traži dopuštenje openid.',
  'test.return': 'Provjera je završena',
  'test.return_text': 'Ovaj prozor možete zatvoriti. Rezultat je na kartici Razvoj.',
}
