import type { refusals as english } from '../en-US/refusals.ts'

export const refusals: Record<keyof typeof english, string> = {
  title: 'Odbijeni zahtjevi',
  text: 'Što je pošlo po zlu u posljednjih sedam dana i kako to možete ispraviti.',
  forget: 'Očisti popis',
  times: '{times, plural, =1 {Jednom} one {# put} few {# puta} other {# puta}}',
  add: 'Dodaj',
  added: 'Dodano. Pokušajte ponovno.',
  'ask.title': 'Je li ova adresa vaša?',
  'ask.text':
    'Svatko može poslati zahtjev sa svojom adresom. Dodajte je samo ako pripada vašoj aplikaciji: onamo se preusmjeravaju osobe koje se prijave.',
  'client_disabled.title': 'Aplikacija je isključena',
  'client_disabled.text': 'Prijava nije moguća dok je netko ponovno ne uključi.',
  'client_disabled.mend': 'Pojedinosti',
  'redirect_uri.title': 'Ova adresa za preusmjeravanje nije registrirana',
  'redirect_uri.text': 'Mora biti registrirana točno onako kako je aplikacija šalje, do posljednjeg slova.',
  'scope.title': 'Aplikacija traži dopuštenje koje ne smije tražiti',
  'scope.text': 'Odaberite ga među dopuštenjima aplikacije ili ga izostavite iz zahtjeva.',
  'scope.mend': 'Dopuštenja',
  'pkce_missing.title': 'U zahtjevu nema PKCE-a',
  'pkce_missing.text': 'Uz zahtjev pošaljite code_challenge i code_challenge_method=S256, a uz kod code_verifier.',
  'pkce_method.title': 'Ovaj code_challenge_method nije prihvaćen',
  'pkce_method.text': 'Zajedno s code_challenge pošaljite code_challenge_method=S256; plain nije siguran.',
  'response_type.title': 'Ovaj response_type nije dostupan',
  'response_type.text': 'Upotrijebite response_type=code; tokene zatim izdaje krajnja točka za tokene.',
  'authorization_request.title': 'U zahtjevu za autorizaciju nešto nedostaje ili je pogrešno',
  'authorization_request.text': 'Usporedite zahtjev s dokumentacijom; gornji redak kaže o kojem je parametru riječ.',
  'par_required.title': 'Zahtjev nije poslan unaprijed',
  'par_required.text':
    'Ova aplikacija prima samo zahtjeve koje njezin poslužitelj prije pošalje na /par (PAR). Pošaljite ga tako ili isključite prekidač dolje u naprednim postavkama.',
  'request_uri.title': 'request_uri više ne vrijedi',
  'request_uri.text':
    'Unaprijed poslani zahtjev vrijedi jednom i jednu minutu. Pošaljite ga kad prijava počne, i za svaku prijavu iznova.',
  'request_object.title': 'Potpisani zahtjev nije prihvaćen',
  'request_object.text':
    'Potpišite ga registriranim ključem aplikacije, kao primatelja navedite ovaj poslužitelj i odredite kratko trajanje. Gornji redak kaže što je pogrešno.',
  'origin.title': 'Stranica s ovog izvora nema dopuštenje za pozive',
  'origin.text':
    'Stranice koje u pregledniku dohvaćaju tokene ili podatke o korisniku moraju biti na registriranom izvoru.',
  'secret_missing.title': 'Aplikacija nije pokazala svoju tajnu',
  'secret_missing.text':
    'Ova aplikacija mora dokazati tko je: tajnu klijenta pošaljite u zaglavlju Authorization ili u obrascu. Prekidač je dolje u naprednim postavkama.',
  'secret_wrong.title': 'Tajna klijenta je pogrešna',
  'secret_wrong.text': 'Usporedite njezina posljednja četiri znaka s onima gore ili stvorite novu tajnu.',
  'assertion_missing.title': 'Aplikacija se nije dokazala svojim ključem',
  'assertion_missing.text':
    'Pošaljite client_assertion i client_assertion_type, potpisane privatnim ključem aplikacije. Tajna ne vrijedi dok je dolje u naprednim postavkama odabran taj način.',
  'assertion.title': 'Dokaz ključem aplikacije nije prihvaćen',
  'assertion.text':
    'Svaki potpišite iznova, ključem čiji je javni dio registriran dolje: iss i sub su ID klijenta, aud je adresa ovog poslužitelja, jti je nov, exp je blizu.',
  'dpop_missing.title': 'Zahtjev nema DPoP dokaz',
  'dpop_missing.text':
    'Tokeni ove aplikacije vezani su uz ključ: pošaljite dokaz u zaglavlju DPoP ili isključite prekidač dolje u naprednim postavkama.',
  'dpop_proof.title': 'DPoP dokaz nije prihvaćen',
  'dpop_proof.text':
    'Svaki stvorite iznova i istim ključem: htm i htu su metoda i adresa poziva, iat je sadašnje vrijeme. Gornji redak kaže što je pogrešno.',
  'code.title': 'Autorizacijski kod više ne vrijedi',
  'code.text': 'Kod vrijedi jednom i jednu minutu. Zamijenite ga odmah i samo jednom.',
  'code_verifier.title': 'code_verifier se ne podudara',
  'code_verifier.text':
    'Pošaljite točno onaj tekst iz kojeg je nastao code_challenge iste prijave, bez ponovnog kodiranja.',
  'redirect_uri_changed.title': 'Adresa za preusmjeravanje drukčija je nego prije',
  'redirect_uri_changed.text': 'Uz kod pošaljite isti redirect_uri kao u zahtjevu za autorizaciju.',
  'refresh_token.title': 'Token za obnovu više ne vrijedi',
  'refresh_token.text':
    'To je uobičajeno nakon odjave ili opoziva pristupa: započnite novu prijavu. Svaki token vrijedi jednom, stoga uvijek čuvajte najnoviji.',
  'grant_type.title': 'Ovaj grant_type nije dostupan ovoj aplikaciji',
  'grant_type.text': 'U dokumentaciji provjerite koje vrijednosti grant_type može upotrebljavati takva aplikacija.',
  'token_request.title': 'U zahtjevu za token nešto nedostaje ili je pogrešno',
  'token_request.text': 'Usporedite zahtjev s dokumentacijom; gornji redak kaže o kojem je parametru riječ.',
}
