import type { refusals as english } from '../en-US/refusals.ts'

export const refusals: Record<keyof typeof english, string> = {
  title: 'Zavrnjene zahteve',
  text: 'Kaj je šlo narobe v zadnjih sedmih dneh in kako to odpravite.',
  forget: 'Počisti seznam',
  times: '{times, plural, =1 {Enkrat} =2 {Dvakrat} one {#-krat} two {#-krat} few {#-krat} other {#-krat}}',
  add: 'Dodaj',
  added: 'Dodano. Poskusite znova.',
  'ask.title': 'Je ta naslov vaš?',
  'ask.text':
    'Vsakdo lahko pošlje zahtevo s svojim naslovom. Dodajte ga samo, če pripada vaši aplikaciji: tja so preusmerjene osebe, ki se prijavijo.',
  'client_disabled.title': 'Aplikacija je izklopljena',
  'client_disabled.text': 'Prijava ni mogoča, dokler je kdo spet ne vklopi.',
  'client_disabled.mend': 'Podrobnosti',
  'redirect_uri.title': 'Ta preusmeritveni naslov ni registriran',
  'redirect_uri.text': 'Registriran mora biti natanko tako, kot ga pošlje aplikacija, do zadnje črke.',
  'scope.title': 'Aplikacija prosi za dovoljenje, za katero ne sme prositi',
  'scope.text': 'Izberite ga med dovoljenji aplikacije ali ga izpustite iz zahteve.',
  'scope.mend': 'Dovoljenja',
  'pkce_missing.title': 'V zahtevi ni PKCE',
  'pkce_missing.text': 'Z zahtevo pošljite code_challenge in code_challenge_method=S256, s kodo pa code_verifier.',
  'pkce_method.title': 'Ta code_challenge_method ni sprejet',
  'pkce_method.text': 'Skupaj s code_challenge pošljite code_challenge_method=S256; plain ni varen.',
  'response_type.title': 'Ta response_type ni na voljo',
  'response_type.text': 'Uporabite response_type=code; žetone nato izda končna točka za žetone.',
  'authorization_request.title': 'V zahtevi za avtorizacijo nekaj manjka ali je napačno',
  'authorization_request.text': 'Primerjajte zahtevo z dokumentacijo; zgornja vrstica pove, za kateri parameter gre.',
  'par_required.title': 'Zahteva ni bila poslana vnaprej',
  'par_required.text':
    'Ta aplikacija sprejema samo zahteve, ki jih njen strežnik prej pošlje na /par (PAR). Pošljite jo tako ali izklopite stikalo spodaj v naprednih nastavitvah.',
  'request_uri.title': 'request_uri ne velja več',
  'request_uri.text':
    'Vnaprej poslana zahteva deluje enkrat in eno minuto. Pošljite jo, ko se prijava začne, in za vsako prijavo znova.',
  'request_object.title': 'Podpisana zahteva ni sprejeta',
  'request_object.text':
    'Podpišite jo z registriranim ključem aplikacije, kot prejemnika navedite ta strežnik in določite kratko veljavnost. Zgornja vrstica pove, kaj je narobe.',
  'origin.title': 'Stran s tega izvora nima dovoljenja za klice',
  'origin.text':
    'Strani, ki v brskalniku pridobivajo žetone ali podatke o uporabniku, morajo biti na registriranem izvoru.',
  'secret_missing.title': 'Aplikacija ni pokazala svoje skrivnosti',
  'secret_missing.text':
    'Ta aplikacija mora dokazati, kdo je: skrivnost odjemalca pošljite v glavi Authorization ali v obrazcu. Stikalo je spodaj v naprednih nastavitvah.',
  'secret_wrong.title': 'Skrivnost odjemalca je napačna',
  'secret_wrong.text': 'Primerjajte njene zadnje štiri znake s tistimi zgoraj ali ustvarite novo skrivnost.',
  'assertion_missing.title': 'Aplikacija se ni izkazala s svojim ključem',
  'assertion_missing.text':
    'Pošljite client_assertion in client_assertion_type, podpisana z zasebnim ključem aplikacije. Skrivnost ne šteje, dokler je spodaj v naprednih nastavitvah izbran ta način.',
  'assertion.title': 'Dokaz s ključem aplikacije ni sprejet',
  'assertion.text':
    'Vsakega podpišite znova, s ključem, katerega javni del je registriran spodaj: iss in sub sta ID odjemalca, aud je naslov tega strežnika, jti je nov, exp je blizu.',
  'dpop_missing.title': 'Zahteva nima dokaza DPoP',
  'dpop_missing.text':
    'Žetoni te aplikacije so vezani na ključ: pošljite dokaz v glavi DPoP ali izklopite stikalo spodaj v naprednih nastavitvah.',
  'dpop_proof.title': 'Dokaz DPoP ni sprejet',
  'dpop_proof.text':
    'Vsakega ustvarite znova in z istim ključem: htm in htu sta metoda in naslov klica, iat je trenutni čas. Zgornja vrstica pove, kaj je narobe.',
  'code.title': 'Avtorizacijska koda ne velja več',
  'code.text': 'Koda deluje enkrat in eno minuto. Zamenjajte jo takoj in samo enkrat.',
  'code_verifier.title': 'code_verifier se ne ujema',
  'code_verifier.text':
    'Pošljite natanko besedilo, iz katerega je nastal code_challenge iste prijave, brez ponovnega kodiranja.',
  'redirect_uri_changed.title': 'Preusmeritveni naslov je drugačen kot prej',
  'redirect_uri_changed.text': 'S kodo pošljite isti redirect_uri kot v zahtevi za avtorizacijo.',
  'refresh_token.title': 'Žeton za obnovo ne velja več',
  'refresh_token.text':
    'To je običajno po odjavi ali preklicu dostopa: začnite novo prijavo. Vsak žeton deluje enkrat, zato vedno shranite najnovejšega.',
  'grant_type.title': 'Ta grant_type tej aplikaciji ni na voljo',
  'grant_type.text': 'V dokumentaciji preverite, katere vrednosti grant_type lahko uporablja taka aplikacija.',
  'token_request.title': 'V zahtevi za žeton nekaj manjka ali je napačno',
  'token_request.text': 'Primerjajte zahtevo z dokumentacijo; zgornja vrstica pove, za kateri parameter gre.',
}
